// threads: 1 2 3 4 7
// A program that ends closes its files: those to be deleted are gone, the others have all that was written. A process
// that a thread forks closes nothing.
#include <sys/stat.h>
#include <sys/wait.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

static char kept[500], deleted[500];

// Was registered before a file was open, so it runs after the files are closed.
static void look(void)
{
    struct stat status;

    if (MYTHREAD != 0 || check_failed)
        return;
    if (stat(deleted, &status) == 0 || stat(kept, &status) != 0 || status.st_size != 1000)
        printf("a file that should be deleted is there, or one that should be there is not\n");
    else
        printf("OK\n");
    unlink(kept);
    rmdir(directory);
}

int main(void)
{
    upc_file_t *files[2];
    char text[1000] = "x";

    make_directory();
    strcpy(kept, in_directory("kept"));
    strcpy(deleted, in_directory("deleted"));
    atexit(look);
    files[0] = upc_all_fopen(kept, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    files[1] = upc_all_fopen(deleted, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(files[0] != NULL && files[1] != NULL);
    if (MYTHREAD == 0) {
        pid_t child = fork();

        if (child == 0) {
            check_failed = 1;
            exit(0);
        }
        CHECK(child > 0 && waitpid(child, NULL, 0) == child);
        CHECK(access(deleted, F_OK) == 0);
    }
    CHECK_EQUAL(upc_all_fwrite_local(files[0], text, 1, MYTHREAD == 0 ? 1000 : 0, 0), MYTHREAD == 0 ? 1000 : 0);
    return check_failed != 0;
}

// threads: 1 2 3 4
// upc_global_exit closes files as the end of a program does: one that is to be deleted is gone, whoever calls it, and
// also while other threads are in the C library.
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

static char deleted[500];

// Was registered before the file was open, so it runs after the file is closed.
static void look(void)
{
    if (MYTHREAD != THREADS - 1 || check_failed)
        return;
    printf("%s\n", access(deleted, F_OK) == 0 ? "the file is still there" : "OK");
    rmdir(directory);
}

int main(void)
{
    upc_file_t *file;

    make_directory();
    strcpy(deleted, in_directory("deleted"));
    atexit(look);
    file = upc_all_fopen(deleted, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_global_exit(check_failed != 0);
    for (;;)
        usleep(100000);
}

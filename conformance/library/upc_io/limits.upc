// threads: 1 2 3 4 7
// A file that may not grow any more: every thread learns that, also those whose part would have had room, and the file
// pointer stays.
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define LIMIT 300000

static shared [1000] char data[100000 * THREADS];

int main(void)
{
    struct rlimit limit = {LIMIT, LIMIT};
    upc_off_t bytes = 100000 * THREADS, begin = LIMIT - bytes / 2;
    upc_file_t *file;
    char byte = 0;

    make_directory();
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    if (begin < 0)
        begin = 0;
    file = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);
    CHECK_EQUAL(upc_all_fseek(file, begin, UPC_SEEK_SET), begin);
    errno = 0;
    CHECK_EQUAL(upc_all_fwrite_shared(file, data, 1000, 1, bytes, 0), -1);
    CHECK_EQUAL(errno, EFBIG);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), begin);
    upc_all_fwrite_shared_async(file, data, 1000, 1, bytes, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    errno = 0;
    CHECK_EQUAL(upc_all_fwait_async(file), -1);
    CHECK_EQUAL(errno, EFBIG);
    errno = 0;
    CHECK_EQUAL(upc_all_fset_size(file, LIMIT + 1), -1);
    CHECK_EQUAL(errno, EFBIG);
    errno = 0;
    CHECK_EQUAL(upc_all_fpreallocate(file, LIMIT + 1), -1);
    CHECK_EQUAL(errno, EFBIG);
    // With file pointers of their own, only the thread whose data has no place.
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    CHECK_EQUAL(upc_all_fseek(file, LIMIT - MYTHREAD, UPC_SEEK_SET), LIMIT - MYTHREAD);
    CHECK_EQUAL(upc_all_fwrite_local(file, &byte, 1, 1, 0), MYTHREAD == 0 ? -1 : 1);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    remove_directory();
    return finish();
}

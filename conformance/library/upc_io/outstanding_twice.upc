// threads: 1
// status: 1
// expect: pgas: thread 0 is at upc_all_fwrite_local_async of '/dev/null', but upc_all_fread_local_async is outstanding on this file: call upc_all_fwait_async before
// A second asynchronous operation cannot say by its return value that the first one is not completed.
#include <upc.h>
#include <upc_io.h>

int main(void)
{
    upc_file_t *file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    char byte = 0;

    upc_all_fread_local_async(file, &byte, 1, 1, 0);
    upc_all_fwrite_local_async(file, &byte, 1, 1, 0);
    return 0;
}

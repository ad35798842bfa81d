// threads: 2 3 7
// status: 1
// expect: pgas: thread 0 is at upc_all_fwrite_shared of '/dev/null' with the number 4, but thread 1 with 5: they must be equal on all threads
// Arguments of an operation at the common file pointer are those of one operation, not of one for each thread; that is
// found also where the threads do not wait for each other at its begin.
#include <upc.h>
#include <upc_io.h>

shared int data[6 * THREADS];

int main(void)
{
    upc_file_t *file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_COMMON_FP, 0, NULL);

    upc_all_fwrite_shared(file, data, 1, sizeof(int), MYTHREAD == 1 ? 5 : 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    return 0;
}

// threads: 2 3 7
// status: 1
// expect: pgas: thread 0 is at upc_all_fseek of '/dev/null' with the offset 5, but thread 1 with 6: they must be equal on all threads
// With a common file pointer all threads have to seek the same place.
#include <upc.h>
#include <upc_io.h>

int main(void)
{
    upc_file_t *file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_COMMON_FP, 0, NULL);

    upc_all_fseek(file, MYTHREAD == 1 ? 6 : 5, UPC_SEEK_SET);
    return 0;
}

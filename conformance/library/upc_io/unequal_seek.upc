// threads: 2 3 7
// expect: pgas: thread 0 is at upc_all_fseek of '/dev/null' with the offset 5, but thread 1 with 6: they must be equal on all threads; thread 0's are taken; the program goes on (compiled with -fupc-check it would end here and say where this is)
// unchecked: with -fupc-check it ends the program
// With a common file pointer all threads have to seek the same place (7.4). Where they do not, thread 0's counts.
#include <upc.h>
#include <upc_io.h>
#include "check.h"

int main(void)
{
    upc_file_t *file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_COMMON_FP, 0, NULL);

    CHECK_EQUAL(upc_all_fseek(file, MYTHREAD == 1 ? 6 : 5, UPC_SEEK_SET), 5);
    CHECK_EQUAL(upc_all_fseek(file, 2, MYTHREAD == 1 ? UPC_SEEK_SET : UPC_SEEK_CUR), 7);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 7);
    upc_all_fclose(file);
    return finish();
}

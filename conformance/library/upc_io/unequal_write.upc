// threads: 2 3 7
// unchecked: with -fupc-check it ends the program
// Arguments of an operation at the common file pointer are those of one operation, not of one for each thread (7.4). Where
// they differ thread 0's are taken, with a message, also where the threads do not wait for each other at its begin.
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

shared int data[6 * THREADS], back[6 * THREADS];

int main(void)
{
    upc_file_t *file;
    upc_flag_t none = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;

    for (int i = 0; i < 6; i++)
        data[i * THREADS + MYTHREAD] = i * THREADS + MYTHREAD + 1;
    upc_barrier;
    make_directory();
    file = upc_all_fopen(in_directory("unequal"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    CHECK_EQUAL(upc_all_fwrite_shared(file, data, 1, sizeof(int), MYTHREAD == 1 ? 5 : 4, none), 4 * sizeof(int));
    CHECK_EQUAL(upc_all_fwrite_shared(file, &data[MYTHREAD == 0 ? 4 : 0], 1, sizeof(int), 2, 0), 2 * sizeof(int));
    CHECK_EQUAL(upc_all_fseek(file, 0, MYTHREAD == 0 ? UPC_SEEK_CUR : UPC_SEEK_END), 6 * sizeof(int));
    CHECK_EQUAL(upc_all_fget_size(file), 6 * sizeof(int));
    upc_all_fseek(file, 0, UPC_SEEK_SET);
    CHECK_EQUAL(upc_all_fread_shared(file, back, 1, sizeof(int), 6 + (MYTHREAD == THREADS - 1), none), 6 * sizeof(int));
    upc_barrier;
    for (int i = 0; i < 6; i++)
        CHECK_EQUAL(back[i], i + 1);
    CHECK_EQUAL(back[6], 0);
    upc_all_fclose(file);
    if (MYTHREAD == 0)
        unlink(in_directory("unequal"));
    remove_directory();
    return finish();
}

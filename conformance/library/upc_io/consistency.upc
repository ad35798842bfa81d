// threads: 1 2 3 4
// With strong consistency and atomicity a read of many pieces never sees half of a write of many pieces, whether the
// threads use one handle or two.
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define PIECES 600
#define GAP 50

int main(void)
{
    static char memory[PIECES * 2];
    static upc_filevec_t places[PIECES];
    upc_local_memvec_t whole = {memory, sizeof memory};
    upc_file_t *files[2];
    int round, i, h;

    make_directory();
    for (h = 0; h < 2; h++) {
        files[h] = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_STRONG_CA, 0, NULL);
        CHECK(files[h] != NULL);
    }
    for (i = 0; i < PIECES; i++)
        places[i] = (upc_filevec_t){i * GAP, 2};
    memset(memory, 'A', sizeof memory);
    CHECK_EQUAL(upc_all_fwrite_list_local(files[0], 1, &whole, PIECES, places, 0),
                (upc_off_t)sizeof memory);
    for (round = 0; round < 60; round++) {
        // Some write, the others read, and nobody waits for anybody.
        int writes = (round + MYTHREAD) % 2;
        upc_flag_t free_running = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;
        upc_filevec_t none;

        memset(memory, writes ? 'A' + (round * THREADS + MYTHREAD) % 26 : 0, sizeof memory);
        whole.len = writes ? sizeof memory : 0;
        CHECK_EQUAL(upc_all_fwrite_list_local(files[round % 2], 1, &whole, writes ? PIECES : 0, writes ? places : &none,
                                              free_running),
                    (upc_off_t)whole.len);
        whole.len = sizeof memory - whole.len;
        CHECK_EQUAL(upc_all_fread_list_local(files[(round + MYTHREAD) % 3 == 0], 1, &whole, writes ? 0 : PIECES,
                                             writes ? &none : places, free_running),
                    (upc_off_t)whole.len);
        for (i = 1; i < (int)sizeof memory; i++)
            if (memory[i] != memory[0])
                break;
        CHECK_EQUAL(i, (int)sizeof memory);
        CHECK(memory[0] >= 'A' && memory[0] <= 'Z');
    }
    CHECK_EQUAL(upc_all_fclose(files[0]), 0);
    CHECK_EQUAL(upc_all_fclose(files[1]), 0);
    if (MYTHREAD == 0)
        unlink(in_directory("file"));
    remove_directory();
    return finish();
}

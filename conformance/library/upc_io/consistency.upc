// threads: 1 2 3 4
// Strong consistency and atomicity: flags that ask for less synchronisation do not count, overlapping writes of many
// pieces look as if one came after the other, and so do reads into the same shared memory.
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define PIECES 600
#define GAP 50
#define AREA 3000000L
#define FREE_RUNNING (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)

static strict shared int entered;
static shared [] char *target;

// The last thread comes late to each call; nobody may get past its begin before.
static void come_late(int round)
{
    if (MYTHREAD == THREADS - 1) {
        usleep(20000);
        entered = round;
    }
}

static void test_flags(upc_file_t *file)
{
    char byte = 'x';
    upc_local_memvec_t memory = {&byte, 1};
    upc_filevec_t place = {MYTHREAD, 1};

    come_late(1);
    CHECK_EQUAL(upc_all_fwrite_list_local(file, 1, &memory, 1, &place, FREE_RUNNING), 1);
    CHECK(entered >= 1);
    upc_barrier;
    come_late(2);
    upc_all_fread_list_local_async(file, 1, &memory, 1, &place, FREE_RUNNING);
    CHECK(entered >= 2);
    CHECK_EQUAL(upc_all_fwait_async(file), 1);
    upc_barrier;
    // The same with the semantics set afterwards.
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_WEAK_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_STRONG_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_CA_SEMANTICS, NULL), UPC_STRONG_CA);
    come_late(3);
    CHECK_EQUAL(upc_all_fread_local(file, &byte, 1, 1, FREE_RUNNING), 1);
    CHECK(entered >= 3);
    upc_barrier;
}

static void test_overlapping_writes(upc_file_t *file)
{
    static char memory[PIECES * 2];
    static upc_filevec_t places[PIECES];
    upc_local_memvec_t whole = {memory, sizeof memory};
    int round, i;

    for (i = 0; i < PIECES; i++)
        places[i] = (upc_filevec_t){i * GAP, 2};
    for (round = 0; round < 60; round++) {
        memset(memory, 'A' + (round + MYTHREAD) % 26, sizeof memory);
        CHECK_EQUAL(upc_all_fwrite_list_local(file, 1, &whole, PIECES, places, FREE_RUNNING), (upc_off_t)sizeof memory);
        memset(memory, 0, sizeof memory);
        CHECK_EQUAL(upc_all_fread_list_local(file, 1, &whole, PIECES, places, FREE_RUNNING), (upc_off_t)sizeof memory);
        for (i = 1; i < (int)sizeof memory; i++)
            if (memory[i] != memory[0])
                break;
        CHECK_EQUAL(i, (int)sizeof memory);
        CHECK(memory[0] >= 'A' && memory[0] <= 'Z');
    }
}

// Thread t fills bytes t * AREA to (t + 1) * AREA of the file, and then all read theirs to the same place.
static void test_overlapping_reads(upc_file_t *file)
{
    char *own = malloc(AREA);
    int round, i, whole = 1;

    target = (shared [] char *)upc_all_alloc(1, AREA);
    memset(own, 'a' + MYTHREAD, AREA);
    upc_all_fseek(file, MYTHREAD * AREA, UPC_SEEK_SET);
    CHECK_EQUAL(upc_all_fwrite_local(file, own, 1, AREA, 0), AREA);
    for (round = 0; round < 10; round++) {
        upc_all_fseek(file, MYTHREAD * AREA, UPC_SEEK_SET);
        if (round % 2 == 0) {
            CHECK_EQUAL(upc_all_fread_shared(file, target, 0, 1, AREA, FREE_RUNNING), AREA);
        } else {
            upc_all_fread_shared_async(file, target, 0, 1, AREA, FREE_RUNNING);
            CHECK_EQUAL(upc_all_fwait_async(file), AREA);
        }
        upc_memget(own, target, AREA);
        for (i = 1; i < AREA && whole; i++)
            whole = own[i] == own[0];
        CHECK(whole);
        CHECK(own[0] >= 'a' && own[0] < 'a' + THREADS);
        upc_barrier;
    }
    free(own);
}

int main(void)
{
    upc_file_t *file;

    make_directory();
    file = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_STRONG_CA, 0, NULL);
    CHECK(file != NULL);
    test_flags(file);
    test_overlapping_writes(file);
    test_overlapping_reads(file);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    if (MYTHREAD == 0)
        unlink(in_directory("file"));
    remove_directory();
    return finish();
}

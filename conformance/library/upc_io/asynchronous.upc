// threads: 1 2 3 4 7
// Every asynchronous operation, completed by waiting and by testing, with what a program may do meanwhile.
#include <errno.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define N 5000

static shared [7] int from[N * THREADS], to[N * THREADS];
static int mine[N], back[N];

// Completes what is outstanding: by waiting, or by testing until it is done.
static upc_off_t completed(upc_file_t *file, int test)
{
    upc_off_t moved;
    int done = 0;

    CHECK_EQUAL(upc_all_fcntl(file, UPC_ASYNC_OUTSTANDING, NULL), 1);
    if (!test) {
        moved = upc_all_fwait_async(file);
    } else {
        do
            moved = upc_all_ftest_async(file, &done);
        while (!done);
    }
    CHECK_EQUAL(upc_all_fcntl(file, UPC_ASYNC_OUTSTANDING, NULL), 0);
    return moved;
}

int main(void)
{
    static const upc_flag_t syncs[] = {0, UPC_IN_NOSYNC | UPC_OUT_NOSYNC, UPC_IN_MYSYNC | UPC_OUT_MYSYNC};
    upc_file_t *file;
    int round, i, done;
    long bytes = N * sizeof(int);

    make_directory();
    for (round = 0; round < 6; round++) {
        upc_flag_t sync = syncs[round / 2];
        int test = round % 2;

        file = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
        CHECK(file != NULL);
        for (i = 0; i < N; i++)
            mine[i] = round + 1000000 * MYTHREAD + i;

        // Private memory.
        upc_all_fseek(file, MYTHREAD * bytes, UPC_SEEK_SET);
        upc_all_fwrite_local_async(file, mine, sizeof(int), N, sync);
        CHECK_EQUAL(completed(file, test), bytes);
        CHECK_EQUAL(upc_all_fseek(file, -bytes, UPC_SEEK_CUR), MYTHREAD * bytes);
        memset(back, 0, sizeof back);
        upc_all_fread_local_async(file, back, sizeof(int), N, sync);
        CHECK_EQUAL(completed(file, test), bytes);
        CHECK(memcmp(back, mine, bytes) == 0);
        CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), (MYTHREAD + 1) * bytes);
        // At the end of the file there is less, or nothing.
        upc_all_fseek(file, -4, UPC_SEEK_END);
        upc_all_fread_local_async(file, back, sizeof(int), N, sync);
        CHECK_EQUAL(completed(file, test), 4);

        // Shared memory, all threads together.
        CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_COMMON_FP, NULL), 0);
        upc_all_fread_shared_async(file, to, 7, sizeof(int), N * THREADS + 3, sync);
        CHECK_EQUAL(completed(file, test), THREADS * bytes);
        upc_barrier;
        upc_forall (i = 0; i < N * THREADS; i++; &to[i])
            CHECK_EQUAL(to[i], round + 1000000 * (i / N) + i % N);
        upc_forall (i = 0; i < N * THREADS; i++; &from[i])
            from[i] = -to[i];
        upc_barrier;
        upc_all_fwrite_shared_async(file, from, 7, sizeof(int), N * THREADS, sync);
        CHECK_EQUAL(completed(file, test), THREADS * bytes);
        CHECK_EQUAL(upc_all_fget_size(file), 2 * THREADS * bytes);

        // Lists, which the program may use for something else at once.
        {
            upc_filevec_t place[2] = {{MYTHREAD * bytes, 40}, {(THREADS + MYTHREAD) * bytes, 40}};
            upc_local_memvec_t memory = {back, 80};
            upc_shared_memvec_t shared_memory = {&to[MYTHREAD * N], 7 * sizeof(int), 80};

            upc_all_fread_list_local_async(file, 1, &memory, 2, place, sync);
            memory.baseaddr = NULL;
            place[0].offset = -1;
            CHECK_EQUAL(completed(file, test), 80);
            for (i = 0; i < 10; i++) {
                CHECK_EQUAL(back[i], mine[i]);
                CHECK_EQUAL(back[10 + i], -mine[i]);
            }
            place[0].offset = MYTHREAD * bytes;
            shared_memory.baseaddr = upc_resetphase(&to[MYTHREAD * 7]);
            shared_memory.len = 28;
            place[0].len = 28;
            upc_all_fread_list_shared_async(file, 1, &shared_memory, 1, place, sync);
            shared_memory.baseaddr = NULL;
            CHECK_EQUAL(completed(file, test), 28);
            for (i = 0; i < 7; i++)
                CHECK_EQUAL(to[MYTHREAD * 7 + i], mine[i]);

            memory.baseaddr = mine;
            memory.len = 28;
            place[0].offset = (3 * THREADS + MYTHREAD) * bytes;
            upc_all_fwrite_list_local_async(file, 1, &memory, 1, place, sync);
            CHECK_EQUAL(completed(file, test), 28);
            shared_memory.baseaddr = &to[MYTHREAD * 7];
            place[0].offset += 28;
            upc_all_fwrite_list_shared_async(file, 1, &shared_memory, 1, place, sync);
            CHECK_EQUAL(completed(file, test), 28);
            upc_barrier;
            memory.baseaddr = back;
            memory.len = place[0].len = 56;
            place[0].offset -= 28;
            CHECK_EQUAL(upc_all_fread_list_local(file, 1, &memory, 1, place, 0), 56);
            CHECK(memcmp(back, mine, 28) == 0 && memcmp(back + 7, mine, 28) == 0);
        }

        // Meanwhile nothing else can be done with the file.
        upc_all_fseek(file, 0, UPC_SEEK_SET);
        upc_all_fread_shared_async(file, to, 7, sizeof(int), 1, sync);
        errno = 0;
        CHECK_EQUAL(upc_all_fsync(file), -1);
        CHECK_EQUAL(errno, EBUSY);
        CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_SET), -1);
        CHECK_EQUAL(upc_all_fclose(file), -1);
        CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FP, NULL), -1);
        CHECK_EQUAL(upc_all_fread_shared(file, to, 7, 1, 1, 0), -1);
        CHECK_EQUAL(completed(file, test), (upc_off_t)sizeof(int));
        // Nothing is outstanding any more.
        errno = 0;
        CHECK_EQUAL(upc_all_fwait_async(file), -1);
        CHECK_EQUAL(errno, EINVAL);
        done = 0;
        CHECK_EQUAL(upc_all_ftest_async(file, &done), -1);
        CHECK_EQUAL(done, 1);
        // An error comes with the completion.
        upc_all_fread_local_async(file, back, 1, 1, sync);
        errno = 0;
        CHECK_EQUAL(completed(file, test), -1);
        CHECK_EQUAL(errno, EINVAL);
        CHECK_EQUAL(upc_all_fclose(file), 0);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        CHECK(unlink(in_directory("file")) == 0);
    remove_directory();
    return finish();
}

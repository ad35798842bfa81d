// threads: 1 2 3 4 7
// Files beyond 2 and 4 GiB, sparse, and buffers so large that every thread moves a part of them: in large blocks, in
// blocks of one element, and through lists.
#include <sys/stat.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define GIB (1l << 30)
#define EACH 40000
#define N ((long)EACH * THREADS)

static shared long cyclic[EACH * THREADS];
static shared [4096] long blocked[10 * 4096 * THREADS];

int main(void)
{
    upc_file_t *file;
    struct stat status;
    long i, size, wrong = 0, begin = 5 * GIB - 12345;
    long word = 0x0123456789abcdef + MYTHREAD;

    make_directory();
    file = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);

    // Over the borders of 2 and 4 GiB.
    CHECK_EQUAL(upc_all_fseek(file, 2 * GIB - 4 + MYTHREAD * 2 * GIB, UPC_SEEK_SET), 2 * GIB - 4 + MYTHREAD * 2 * GIB);
    CHECK_EQUAL(upc_all_fwrite_local(file, &word, sizeof word, 1, 0), 8);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 2 * GIB + 4 + MYTHREAD * 2 * GIB);
    size = 2 * THREADS * GIB + 4;
    CHECK_EQUAL(upc_all_fget_size(file), size);
    CHECK_EQUAL(upc_all_fseek(file, -2 * GIB * ((MYTHREAD + 1) % THREADS) - 8, UPC_SEEK_END),
                size - 2 * GIB * ((MYTHREAD + 1) % THREADS) - 8);
    CHECK_EQUAL(upc_all_fread_local(file, &word, sizeof word, 1, 0), 8);
    CHECK_EQUAL(word, 0x0123456789abcdef + THREADS - 1 - (MYTHREAD + 1) % THREADS);

    // All together, with a common file pointer: every byte of both arrays.
    upc_forall (i = 0; i < N; i++; &cyclic[i])
        cyclic[i] = i * 3 + 1;
    upc_barrier;
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_COMMON_FP, NULL), 0);
    CHECK_EQUAL(upc_all_fseek(file, begin, UPC_SEEK_SET), begin);
    CHECK_EQUAL(upc_all_fwrite_shared(file, cyclic, 1, sizeof(long), N, 0), N * 8);
    CHECK_EQUAL(upc_all_fseek(file, -N * 8, UPC_SEEK_CUR), begin);
    CHECK_EQUAL(upc_all_fread_shared(file, blocked, 4096, sizeof(long), N, 0), N * 8);
    upc_forall (i = 0; i < N; i++; &blocked[i])
        wrong += blocked[i] != i * 3 + 1;
    CHECK_EQUAL(wrong, 0);
    CHECK_EQUAL(upc_all_fseek(file, 3 * GIB, UPC_SEEK_SET), 3 * GIB);
    upc_forall (i = 0; i < N; i++; &blocked[i])
        blocked[i] = -blocked[i];
    CHECK_EQUAL(upc_all_fwrite_shared(file, blocked, 4096, sizeof(long), N, 0), N * 8);
    CHECK_EQUAL(upc_all_fset_size(file, 3 * GIB + 8 * (N - 5)), 0);
    CHECK_EQUAL(upc_all_fseek(file, 3 * GIB + 8, UPC_SEEK_SET), 3 * GIB + 8);
    CHECK_EQUAL(upc_all_fread_shared(file, cyclic, 1, sizeof(long), N, 0), 8 * (N - 6));
    wrong = 0;
    upc_forall (i = 0; i < N - 6; i++; &cyclic[i])
        wrong += cyclic[i] != -(i + 1) * 3 - 1;
    upc_forall (i = N - 6; i < N; i++; &cyclic[i])
        wrong += cyclic[i] != i * 3 + 1;
    CHECK_EQUAL(wrong, 0);

    // The same by lists: each thread all elements of another one, which lie scattered in the file.
    {
        int other = (MYTHREAD + 1) % THREADS, n = (N - 6 - other + THREADS - 1) / THREADS;
        upc_shared_memvec_t memory = {&cyclic[other], 0, 8 * n};
        upc_filevec_t *places = malloc(n * sizeof *places);

        for (i = 0; i < n; i++)
            places[i] = (upc_filevec_t){3 * GIB + 8 * (other + i * THREADS), 8};
        CHECK_EQUAL(upc_all_fread_list_shared(file, 1, &memory, n, places, 0), 8 * n);
        wrong = 0;
        upc_forall (i = 0; i < N - 6; i++; &cyclic[i])
            wrong += cyclic[i] != -i * 3 - 1;
        CHECK_EQUAL(wrong, 0);
        free(places);
    }

    // What was never written takes no room.
    upc_barrier;
    CHECK(stat(in_directory("file"), &status) == 0 && status.st_blocks < 64l << 11);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    remove_directory();
    return finish();
}

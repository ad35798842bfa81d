// threads: 1 2 3 4 7
// Shared buffers of every block size, element size and first thread, through the common file pointer and back, with
// numbers of elements that fill no whole block, and the end of the file in between.
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define N 1000
#define MOST 8

static shared char storage[THREADS * (MOST * (N + 40))];

// Where byte `i` of a buffer with blocks of `block` bytes is, whose first block is at the begin of thread `first`.
static char shared_byte(int first, size_t block, size_t i)
{
    size_t number = block == 0 ? first : first + i / block;
    size_t offset = block == 0 ? i : number / THREADS * block + i % block;

    return ((shared [] char *)&storage[number % THREADS])[offset];
}

static char pattern(long i)
{
    return (char)(i * 7 + i / 251);
}

static void clear(void)
{
    upc_memset(&storage[MYTHREAD], 0, MOST * (N + 40));
    upc_barrier;
}

int main(void)
{
    static const size_t sizes[] = {1, 4, 3, 8}, blocks[] = {0, 1, 2, 5, 100, N, 2 * N};
    int s, b, first;
    upc_file_t *file;
    long i;

    make_directory();
    file = upc_all_fopen(in_directory("shared"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);
    for (s = 0; s < 4; s++)
        for (b = 0; b < 7; b++) {
            size_t size = sizes[s], block = blocks[b] * size, bytes = N * size;
            long head = 11;

            first = (s + b) % THREADS;
            // The file gets a pattern, by one thread's private memory.
            CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL), 0);
            CHECK_EQUAL(upc_all_fset_size(file, 0), 0);
            {
                char text[MOST * N + 20];

                for (i = 0; i < head + (long)bytes; i++)
                    text[i] = pattern(i);
                CHECK_EQUAL(upc_all_fwrite_local(file, text, 1, MYTHREAD == THREADS - 1 ? head + bytes : 0, 0),
                            MYTHREAD == THREADS - 1 ? head + bytes : 0);
            }
            CHECK_EQUAL(upc_all_fget_size(file), head + bytes);

            // Reading asks for more than there is.
            CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_COMMON_FP, NULL), 0);
            CHECK_EQUAL(upc_all_fseek(file, head, UPC_SEEK_SET), head);
            clear();
            CHECK_EQUAL(upc_all_fread_shared(file, &storage[first], blocks[b], size, N + 30, 0), bytes);
            CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), head + bytes);
            for (i = MYTHREAD; i < (long)bytes; i += THREADS)
                CHECK_EQUAL(shared_byte(first, block, i), pattern(head + i));
            for (; i < (long)(bytes + 30 * size); i += THREADS)
                CHECK_EQUAL(shared_byte(first, block, i), 0);
            CHECK_EQUAL(upc_all_fread_shared(file, &storage[first], blocks[b], size, N, 0), 0);

            // Written again behind it, and read with another block size.
            CHECK_EQUAL(upc_all_fwrite_shared(file, &storage[first], blocks[b], size, N, UPC_IN_NOSYNC), bytes);
            CHECK_EQUAL(upc_all_fget_size(file), head + 2 * bytes);
            CHECK_EQUAL(upc_all_fseek(file, -(long)bytes, UPC_SEEK_END), head + bytes);
            clear();
            CHECK_EQUAL(upc_all_fread_shared(file, &storage[0], 3, size, N, UPC_IN_MYSYNC | UPC_OUT_NOSYNC), bytes);
            upc_barrier;
            for (i = MYTHREAD; i < (long)bytes; i += THREADS)
                CHECK_EQUAL(shared_byte(0, 3 * size, i), pattern(head + i));
            upc_barrier;
        }

    // With file pointers of their own, threads read different parts into different places.
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    {
        shared char *mine = &storage[(MYTHREAD + 1) % THREADS];

        clear();
        CHECK_EQUAL(upc_all_fseek(file, 10 * MYTHREAD, UPC_SEEK_SET), 10 * MYTHREAD);
        CHECK_EQUAL(upc_all_fread_shared(file, mine, 0, 1, 10, 0), 10);
        for (i = 0; i < 10; i++)
            CHECK_EQUAL(((shared [] char *)mine)[i], pattern(10 * MYTHREAD + i));
        CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 10 * MYTHREAD + 10);
    }
    CHECK_EQUAL(upc_all_fclose(file), 0);
    remove_directory();
    return finish();
}

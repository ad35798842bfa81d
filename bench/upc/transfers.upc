/* A block of one megabyte from another thread against memcpy of as much private memory. Thread 0 copies alone. */
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

#include "bench.h"

#define BYTES (1 << 20)

shared [BYTES] char blocks[THREADS][BYTES];

int main(void)
{
    const int peer = (MYTHREAD + 1) % THREADS;
    char *to = aligned_alloc(4096, BYTES), *from = aligned_alloc(4096, BYTES);
    double get = 0, put = 0, copy = 0;
    int repetition;

    if (to == NULL || from == NULL)
        return 2;
    memset(from, 1, BYTES);
    memset(to, 2, BYTES);
    memset((char *)&blocks[MYTHREAD][0], 3, BYTES);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (repetition = 0; repetition < REPETITIONS; repetition++) {
            BENCH(get, 1, upc_memget(to, &blocks[peer][0], BYTES));
            BENCH(copy, 1, memcpy(to, from, BYTES));
            __asm__ volatile("" : : "r"(to) : "memory");
            BENCH(put, 1, upc_memput(&blocks[peer][0], from, BYTES));
        }
    }
    upc_barrier;
    bench_ratio("upc_memget of 1 MiB", get, copy, 1.05);
    bench_ratio("upc_memput of 1 MiB", put, copy, 1.05);
    return 0;
}

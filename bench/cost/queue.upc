/* A shared work queue: threads take one piece at a time under a lock, and add up what it gave in shared memory. Arguments:
 * the number of pieces, and of how many numbers each is (1: a piece takes 100 to 200 ns). */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

static shared long next_piece, done;
static shared long sums[THREADS];

static long step(long value)
{
    return value % 2 == 0 ? value / 2 : 3 * value + 1;
}

static long collatz(long value)
{
    long steps = 0;
    for (; value != 1; steps++)
        value = step(value);
    return steps;
}

int main(int argc, char **argv)
{
    long pieces = argc > 1 ? atol(argv[1]) : 60000;
    long numbers = argc > 2 ? atol(argv[2]) : 1;
    upc_lock_t *lock = upc_all_lock_alloc();
    long total = 0;

    upc_barrier;
    for (;;) {
        long piece, steps = 0;
        upc_lock(lock);
        piece = next_piece++;
        upc_unlock(lock);
        if (piece >= pieces)
            break;
        for (long i = 0; i < numbers; i++)
            steps += collatz(piece * numbers + i + 1);
        sums[(MYTHREAD + piece) % THREADS] += steps;
        upc_lock(lock);
        done++;
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int t = 0; t < THREADS; t++)
            total += sums[t] != 0;
        printf("queue %ld %ld\n", done, total);
    }
    return 0;
}

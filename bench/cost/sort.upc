/* A sample sort that fetches what belongs to a thread one element at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define PER_THREAD 300000
#define SAMPLES 64

static shared [PER_THREAD] unsigned keys[PER_THREAD * THREADS];
static shared [SAMPLES] unsigned samples[SAMPLES * THREADS];
static shared long sums[THREADS];

static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static unsigned draw(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 3;
    unsigned *all = malloc(sizeof(unsigned) * SAMPLES * THREADS);
    unsigned *mine = malloc(sizeof(unsigned) * PER_THREAD * THREADS);
    unsigned state = 12345 + 77 * MYTHREAD;
    long count = 0, total = 0;

    for (int r = 0; r < rounds; r++) {
        for (long i = 0; i < PER_THREAD; i++)
            keys[(long)MYTHREAD * PER_THREAD + i] = draw(&state);
        for (int s = 0; s < SAMPLES; s++)
            samples[MYTHREAD * SAMPLES + s] = keys[(long)MYTHREAD * PER_THREAD + s];
        upc_barrier;
        for (int s = 0; s < SAMPLES * THREADS; s++)
            all[s] = samples[s];
        qsort(all, SAMPLES * THREADS, sizeof(unsigned), compare);
        unsigned low = MYTHREAD == 0 ? 0 : all[MYTHREAD * SAMPLES];
        unsigned high = MYTHREAD == THREADS - 1 ? 0xffffffffu : all[(MYTHREAD + 1) * SAMPLES];
        count = 0;
        for (long i = 0; i < (long)PER_THREAD * THREADS; i++) {
            unsigned key = keys[i];
            if (key >= low && (key < high || MYTHREAD == THREADS - 1))
                mine[count++] = key;
        }
        qsort(mine, count, sizeof(unsigned), compare);
        upc_barrier;
    }
    sums[MYTHREAD] = count;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int t = 0; t < THREADS; t++)
            total += sums[t];
        printf("sort %ld\n", total);
    }
    return 0;
}

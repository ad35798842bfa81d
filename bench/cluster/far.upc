/*
 * Data of another node: thread 0 reads and writes that of thread 1, which waits in a barrier, or computes without a call
 * until its own memory says that it may end. With PGAS_FAR_CACHE=0, single reads; without it, large pieces; a walk in both.
 */
#include <upc_relaxed.h>

#include "figures.h"

#define READS 5
#define BYTES (4 << 20)
#define ELEMENTS 1000000
/* Without the cache, each element is a round trip. */
#define UNCACHED_ELEMENTS 5000
#define WALKS (REPETITIONS < 5 ? REPETITIONS : 5)

shared [] double *shared areas[THREADS];
strict shared int may_end[THREADS];
shared [] double *area;
char *buffer;
int elements;
volatile double sink;

static void reads(void)
{
    for (int i = 0; i < READS; i++)
        sink = area[i];
}

static void walk(void)
{
    shared [] double *p = area;
    double sum = 0;

    upc_fence; /* forgets what was read before */
    for (int i = 0; i < elements; i++)
        sum += p[i];
    sink = sum;
}

static void get(void)
{
    upc_memget(buffer, area, BYTES);
}

static void put(void)
{
    upc_memput(area, buffer, BYTES);
    upc_fence;
}

static void compute(void)
{
    volatile int *end = (volatile int *)&may_end[MYTHREAD];
    double value = 1;

    while (!*end)
        for (int i = 0; i < 1000; i++)
            value = value * 0.5 + 1;
    sink = value;
    *end = 0;
}

/* In turns, so that other load of the machine hits both. */
static void waiting_and_computing(void)
{
    double waits[REPETITIONS], computes[REPETITIONS];

    for (int i = 0; i < REPETITIONS; i++) {
        upc_barrier;
        if (MYTHREAD == 0) {
            double begin = now_us();
            reads();
            waits[i] = (now_us() - begin) / READS;
        }
        upc_barrier;
        if (MYTHREAD == 0) {
            /* Until the other one computes, and nothing of the barrier is left. */
            usleep(1000);
            double begin = now_us();
            reads();
            computes[i] = (now_us() - begin) / READS;
            may_end[1] = 1;
        } else
            compute();
    }
    if (MYTHREAD == 0) {
        print_figure("read, target waits", median(waits, REPETITIONS));
        print_figure("read, target computes", median(computes, REPETITIONS));
    }
}

int main(void)
{
    const char *setting = getenv("PGAS_FAR_CACHE");
    int is_cached = setting == NULL || strcmp(setting, "0");

    areas[MYTHREAD] = upc_alloc(ELEMENTS * sizeof(double));
    buffer = malloc(BYTES);
    if (THREADS != 2 || buffer == NULL || areas[MYTHREAD] == NULL)
        return 2;
    memset(buffer, 1, BYTES);
    memset((void *)areas[MYTHREAD], 0, ELEMENTS * sizeof(double));
    upc_barrier;
    area = areas[1];
    elements = is_cached ? ELEMENTS : UNCACHED_ELEMENTS;
    if (MYTHREAD == 0) {
        if (is_cached) {
            print_figure("get", BYTES / time_of(get, 1, REPETITIONS).median);
            print_figure("put", BYTES / time_of(put, 1, REPETITIONS).median);
        } else
            print_figure("read", time_of(reads, READS, REPETITIONS).median);
        print_figure("walk", 1e3 * time_of(walk, elements, WALKS).median);
    }
    upc_barrier;
    if (!is_cached)
        waiting_and_computing();
    upc_barrier;
    return 0;
}

/*
 * Waits at collective allocations: thread 0 does the work, so all others wait if it comes late; if it comes first,
 * nobody waits.
 */
#include <upc.h>
#include "truth.h"

static shared [2 * ROUNDS] double allocations[THREADS][2 * ROUNDS];
static shared int *memory[2 * ROUNDS];
static int count;

static void allocate(void)
{
    double *own = (double *)&allocations[MYTHREAD][0];

    own[count] = now();
    memory[count] = upc_all_alloc(THREADS, 1000 * sizeof(int));
    count++;
}

static void thread_0_late(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(MYTHREAD == 0 ? 45 : 8 * (MYTHREAD + round % 2));
        allocate();
        BARRIER;
    }
}

static void thread_0_first(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(MYTHREAD == 0 ? 1 : 10 + 5 * MYTHREAD);
        allocate();
        BARRIER;
    }
}

int main(void)
{
    int i, thread;

    BARRIER;
    thread_0_late();
    thread_0_first();
    finish_barriers();
    if (MYTHREAD == 0) {
        for (thread = 0; thread < THREADS; thread++) {
            double lost = 0;

            for (i = 0; i < count; i++)
                lost += positive(allocations[0][i] - allocations[thread][i]);
            print_truth("wait_at_alloc", thread, lost);
        }
        for (i = 0; i < count; i++)
            upc_free(memory[i]);
    }
    return 0;
}

/* The same lock is waited for in different functions. */
// threads: 4 2 8
#include "../truth.h"

enum { IN_SLOW = 1, IN_QUICK };
static const char *const paths[] = {"", "main/slow", "main/quick", NULL};

static void slow(void)
{
    place = IN_SLOW;
    LOCK(0);
    work(10);
    UNLOCK(0);
    place = 0;
}

static void quick(void)
{
    place = IN_QUICK;
    LOCK(0);
    work(6);
    UNLOCK(0);
    place = 0;
}

int main(void)
{
    int round;

    place_names = paths;
    BARRIER;
    ALL_LOCK_ALLOC(0);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        slow();
        BARRIER;
        quick();
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * (10 + 6) * THREADS * (THREADS - 1) / 2);
    plan(WAIT_AT_BARRIER, ROUNDS * (10 + 6) * THREADS * (THREADS - 1) / 2);
    FINISH;
    return 0;
}

/*
 * The same barrier is waited for along different call paths, each of which has its own share: functions that call
 * each other, and a recursion.
 */
// threads: 4 2 12
#include "../truth.h"

enum { IN_MAIN = 1, IN_INNER, IN_OUTER_INNER, IN_OUTER, IN_RECURSION };
static const char *const paths[] = {"", "main", "main/inner", "main/outer/inner", "main/outer",
                                    "main/deeper/deeper/deeper", NULL};

static void inner(double milliseconds)
{
    work(milliseconds);
    BARRIER;
}

static void outer(int round)
{
    place = IN_OUTER_INNER;
    inner(MYTHREAD == 1 ? 17 : 5);
    work(round % THREADS == MYTHREAD ? 17 : 5);
    place = IN_OUTER;
    BARRIER;
}

static void deeper(int levels)
{
    if (levels > 1) {
        deeper(levels - 1);
        return;
    }
    work(MYTHREAD == THREADS / 2 ? 20 : 5);
    place = IN_RECURSION;
    BARRIER;
}

int main(void)
{
    int round;

    place_names = paths;
    place = IN_MAIN;
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        outer(round);
        place = IN_INNER;
        inner(MYTHREAD == 0 ? 20 : 5);
        deeper(3);
        work(MYTHREAD == THREADS - 1 ? 15 : 5);
        place = IN_MAIN;
        BARRIER;
    }
    place = 0;
    plan(WAIT_AT_BARRIER, ROUNDS * (12 + 12 + 15 + 15 + 10) * (THREADS - 1));
    FINISH;
    return 0;
}

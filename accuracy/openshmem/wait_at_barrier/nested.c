/*
 * The same barrier is waited for along different call paths, each of which has its own share: functions that call
 * each other, and a recursion.
 */
// threads: 4 2
// options: --functions all
#include "../truth.h"

enum { IN_MAIN = 1, IN_INNER, IN_OUTER_INNER, IN_RECURSION };
static const char *const paths[] = {"", "main", "main/inner", "main/outer/inner", "main/deeper/deeper/deeper", NULL};

static void inner(double milliseconds)
{
    work(milliseconds);
    BARRIER;
}

static void outer(void)
{
    place = IN_OUTER_INNER;
    inner(me == pes - 1 ? 17 : 5);
}

static void deeper(int levels)
{
    if (levels > 1) {
        deeper(levels - 1);
        return;
    }
    work(me == pes / 2 ? 20 : 5);
    place = IN_RECURSION;
    BARRIER;
}

int main(void)
{
    int round;

    place_names = paths;
    place = IN_MAIN;
    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        outer();
        place = IN_INNER;
        inner(me == 0 ? 20 : 5);
        deeper(3);
        work(me == pes - 1 ? 15 : 5);
        place = IN_MAIN;
        BARRIER;
    }
    place = 0;
    plan(WAIT_AT_BARRIER, ROUNDS * (12 + 15 + 15 + 10) * (pes - 1));
    FINISH;
    return 0;
}

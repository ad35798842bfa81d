/*
 * The same operation waited for in different functions and along different call paths: each gets its own share, printed
 * as lines `TRUTH_AT <call path> <metric> <thread> <seconds>`.
 */
#include <upc.h>
#include "truth.h"

enum { IN_MAIN = 1, IN_INNER, IN_OUTER_INNER, IN_OUTER, IN_RECURSION, PLACES };
static const char *const paths[PLACES] = {"", "main", "main/inner", "main/outer/inner", "main/outer",
                                          "main/deeper/deeper/deeper"};

static void inner(int place, int milliseconds)
{
    sleep_ms(milliseconds);
    BARRIER_AT(place);
}

static void outer(int round)
{
    inner(IN_OUTER_INNER, MYTHREAD == 1 ? 30 : 10);
    sleep_ms(10 + 5 * ((MYTHREAD + round) % THREADS));
    BARRIER_AT(IN_OUTER);
}

static void deeper(int levels)
{
    if (levels > 1) {
        deeper(levels - 1);
        return;
    }
    sleep_ms(MYTHREAD == 2 ? 25 : 5);
    BARRIER_AT(IN_RECURSION);
}

int main(void)
{
    int round, place, thread;

    BARRIER_AT(IN_MAIN);
    for (round = 0; round < ROUNDS; round++) {
        outer(round);
        inner(IN_INNER, MYTHREAD == 3 ? 40 : 10);
        deeper(3);
        sleep_ms(10 * MYTHREAD);
        BARRIER_AT(IN_MAIN);
    }
    finish_barriers();
    if (MYTHREAD == 0)
        for (place = IN_MAIN; place < PLACES; place++)
            for (thread = 0; thread < THREADS; thread++)
                printf("TRUTH_AT %s wait_at_barrier %d %.9f\n", paths[place], thread,
                       lost_in_barriers(thread, 0, place));
    return 0;
}

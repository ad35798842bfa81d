/*
 * Waits at barriers: the late thread changes from round to round, is always the same one, or everyone is late by
 * another amount.
 */
#include <upc.h>
#include "truth.h"

static void rotating(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(round % THREADS == MYTHREAD ? 35 : 10);
        BARRIER;
    }
}

static void fixed(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(MYTHREAD == THREADS - 1 ? 40 : 5);
        BARRIER;
    }
}

static void staggered(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(10 * (1 + (MYTHREAD + round / 4) % THREADS));
        BARRIER;
    }
}

int main(void)
{
    BARRIER;
    rotating();
    fixed();
    staggered();
    finish_barriers();
    return 0;
}

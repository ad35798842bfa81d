/*
 * Waits in split-phase barriers: what is done between notify and wait is not lost; part of the threads may use a plain
 * barrier in the same phase.
 */
#include <upc.h>
#include "truth.h"

/* The wait of a thread begins before the last notify by different amounts. */
static void split(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(round % THREADS == MYTHREAD ? 50 : 10);
        NOTIFY;
        sleep_ms(5 + 5 * MYTHREAD);
        WAIT;
    }
}

/* Enough is done in between to hide all of the lateness. */
static void hidden(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(round % THREADS == MYTHREAD ? 15 : 5);
        NOTIFY;
        sleep_ms(25);
        WAIT;
    }
}

/* Threads of even number split the barrier, the others do not. */
static void mixed(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(round % THREADS == MYTHREAD ? 45 : 10);
        if (MYTHREAD % 2 == 0) {
            NOTIFY;
            sleep_ms(10);
            WAIT;
        } else {
            BARRIER;
        }
    }
}

int main(void)
{
    BARRIER;
    split();
    hidden();
    mixed();
    finish_barriers();
    return 0;
}

// threads: 2 3 4
// lazy: yes
// Strict accesses order relaxed ones, also where far writes wait and far reads are kept.
#include <upc.h>
#include "check.h"

#define ROUNDS 200

strict shared int turn;
strict shared struct {
    unsigned go : 1;
    int round;
} signal[THREADS];
shared int data[THREADS];
shared [16] double block[16 * THREADS];
shared int flag[THREADS];
shared int relaxed_turn;

/* A token goes round; the one who has it writes data of the next. */
static void ring(void)
{
    int round, i, to = (MYTHREAD + 1) % THREADS;
    for (round = 0; round < ROUNDS; round++) {
        while (turn != round * THREADS + MYTHREAD)
            ;
        if (round > 0 || MYTHREAD > 0) {
            CHECK_EQUAL(data[MYTHREAD], round * 1000 + MYTHREAD);
            for (i = 0; i < 16; i++)
                CHECK(block[16 * MYTHREAD + i] == round + i / 2.0);
        }
        int next = to == 0 ? round + 1 : round;
        data[to] = next * 1000 + to;
        for (i = 0; i < 16; i++)
            block[16 * to + i] = next + i / 2.0;
        CHECK_EQUAL(data[to], next * 1000 + to);
        turn++;
    }
    upc_barrier;
}

/* A strict bit field lets the next thread go. */
static void fields(void)
{
    int round, to = (MYTHREAD + 1) % THREADS;
    for (round = 1; round <= ROUNDS; round++) {
        data[to] = round;
        signal[to].round = round;
        signal[to].go = 1;
        while (!signal[MYTHREAD].go)
            ;
        CHECK_EQUAL(data[MYTHREAD], round);
        CHECK_EQUAL(signal[MYTHREAD].round, round);
        signal[MYTHREAD].go = 0;
        upc_barrier;
    }
}

/* Everybody waits for data of thread 0, relaxed: in an empty loop, and in one that takes it. */
static void relaxed_flags(void)
{
    int now;
    if (MYTHREAD == 0) {
        volatile int i;
        for (i = 0; i < 100000; i++)
            ;
        relaxed_turn = 1;
        while (relaxed_turn != 2)
            ;
    } else {
        while (relaxed_turn == 0)
            ;
        if (MYTHREAD == 1) {
            relaxed_turn = 2;
            upc_fence;
        }
        do {
            now = relaxed_turn;
        } while (now != 2);
    }
    upc_barrier;
}

/* All writes are there after a barrier, and what was read before is forgotten. */
static void barriers(void)
{
    int round, t;
    for (round = 0; round < 20; round++) {
        for (t = 0; t < THREADS; t++)
            CHECK(flag[t] == round * THREADS);
        upc_barrier;
        flag[(MYTHREAD + 1) % THREADS] += THREADS;
        upc_barrier;
    }
}

int main(void)
{
    upc_barrier;
    ring();
    fields();
    relaxed_flags();
    barriers();
    return finish();
}

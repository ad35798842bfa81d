// threads: 2 3 4
// Strict accesses order relaxed ones: data passed from thread to thread by flags, without barriers.
#include <upc_relaxed.h>
#include <sched.h>
#include "check.h"

#define ROUNDS 200
#define WORDS 16
strict shared int flag[THREADS];
shared [WORDS] int data[THREADS][WORDS];
shared int plain_flag[THREADS];
shared int plain_data[THREADS];
strict shared int turn;
shared int total;

static void wait_for(strict shared int *p, int value)
{
    while (*p != value)
        sched_yield();
}

int main(void)
{
    int i, round, left = (MYTHREAD + THREADS - 1) % THREADS;

    for (round = 1; round <= ROUNDS; round++) {
        for (i = 0; i < WORDS; i++)
            data[MYTHREAD][i] = round * 100 + i;
        flag[MYTHREAD] = round;
        wait_for(&flag[left], round);
        for (i = 0; i < WORDS; i++)
            CHECK_EQUAL(data[left][i], round * 100 + i);
        upc_barrier;
    }

    // The same with a fence.
    plain_data[MYTHREAD] = 5 + MYTHREAD;
    upc_fence;
    plain_flag[MYTHREAD] = 1;
    while (!plain_flag[left])
        sched_yield();
    upc_fence;
    CHECK_EQUAL(plain_data[left], 5 + left);
    upc_barrier;

    // The pragma for a block; the others of the block before stay relaxed.
    {
#pragma upc strict
        for (round = 0; round < 20; round++) {
            while (turn % THREADS != MYTHREAD)
                sched_yield();
            total = total + MYTHREAD + 1;
            turn++;
        }
    }
    upc_barrier;
    CHECK_EQUAL(total, 20 * THREADS * (THREADS + 1) / 2);
    CHECK_EQUAL(turn, 20 * THREADS);
    // Two strict writes and reads crossing: at least one thread must see the other's write.
    for (round = 0; round < 50; round++) {
        static strict shared [] int a[2], seen[2];

        if (MYTHREAD < 2)
            a[MYTHREAD] = 0;
        upc_barrier;
        if (MYTHREAD < 2) {
            a[MYTHREAD] = 1;
            seen[MYTHREAD] = a[1 - MYTHREAD];
        }
        upc_barrier;
        CHECK(seen[0] || seen[1]);
        upc_barrier;
    }
    return finish();
}

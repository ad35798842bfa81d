// threads: 1 2 3 4 7
// Loops that wait for strict, volatile and relaxed flags: a ring, a buffer, all to all.
#include <upc_relaxed.h>
#include "check.h"
strict shared int flag;
strict shared int flags[THREADS];
shared int data[THREADS], result;
relaxed shared int rflag[THREADS];
shared strict int *where = &flag;
typedef strict shared int sflag_t;
sflag_t go[THREADS];
shared [4] int buffer[4 * THREADS];
strict shared int head, tail;
shared [] int ring[8];
volatile shared int vflag;

static void wait_for(strict shared int *f, int v)
{
    while (*f != v)
        ;
}

int main()
{
    int i, k;
    int next = (MYTHREAD + 1) % THREADS;
    if (MYTHREAD == 0) {
        data[0] = 42;
        flag = 1;
    } else {
        while (!flag)
            ;
        CHECK_EQUAL(data[0], 42);
    }
    for (k = 1; k <= 3; k++) {
        if (MYTHREAD == 0) {
            flags[next] = k;
            wait_for(&flags[0], k);
        } else {
            while (flags[MYTHREAD] != k)
                continue;
            data[MYTHREAD] = k;
            flags[next] = k;
        }
    }
    upc_barrier;
    if (MYTHREAD)
        CHECK_EQUAL(data[MYTHREAD], 3);
    if (THREADS > 1) {
        if (MYTHREAD == 0)
            for (i = 0; i < 100; i++) {
                while (head - tail >= 8)
                    ;
                ring[head % 8] = i;
                head++;
            }
        else if (MYTHREAD == 1)
            for (i = 0; i < 100; i++) {
                while (head == tail) {
                }
                CHECK_EQUAL(ring[tail % 8], i);
                tail++;
            }
    }
    rflag[next] = 1;
    upc_fence;
    while (rflag[MYTHREAD] == 0)
        ;
    do {
    } while (!vflag && MYTHREAD != 0 && (vflag = 1));
    go[MYTHREAD] = MYTHREAD;
    {
#pragma upc strict
        int s = 0;
        shared int *p = data;
        for (i = 0; i < THREADS; i++)
            s += go[i] >= 0;
        p[MYTHREAD] = s;
        CHECK_EQUAL(p[MYTHREAD], THREADS);
    }
    upc_barrier;
    for (;;) {
        int done = 0;
        for (i = 0; i < THREADS; i++)
            done += (go[i] == i);
        if (done == THREADS)
            break;
    }
    upc_barrier;
    strict shared int *sp = &go[next];
    *sp += 1;
    upc_barrier;
    CHECK_EQUAL(go[MYTHREAD], MYTHREAD + 1);
    *where = 5;
    // Others write both values at any time.
    int seen = *where;
    CHECK(seen == 5 || seen == 6);
    shared int *rp = (shared int *)where;
    *rp = 6;
    CHECK_EQUAL(flag >= 5, 1);
    upc_barrier;
    return finish();
}

// threads: 1 2 3 4 7
// flags: -fupc-1.0
// The keywords of UPC 1.0, which had no prefix, beside those of today and names that only look like them.
#include <upc_relaxed.h>
#include <sys/wait.h>
#include "check.h"

#define SYNCHRONISE barrier 7

shared [3] int data[3 * THREADS];
shared int step[THREADS];

struct queue {
    int wait;
    int notify;
};

static int counted(struct queue *q)
{
    int fence = 1; /* a name here, a keyword in main */

    q->wait += fence;
    q->notify = q->wait;
    return q->wait;
}

int main(void)
{
    struct queue q = {0, 0};
    int i, own = 0, neighbour = (MYTHREAD + 1) % THREADS;

    forall (i = 0; i < 3 * THREADS; i++; &data[i]) {
        data[i] = i;
        own++;
    }
    CHECK_EQUAL(own, 3);
    barrier;
    CHECK_EQUAL(data[3 * neighbour + 2], 3 * neighbour + 2);

    CHECK_EQUAL(blocksizeof(data), 3);
    CHECK_EQUAL(elemsizeof data, sizeof(int));
    CHECK(localsizeof(data) >= 3 * sizeof(int));

    step[MYTHREAD] = 1;
    fence;
    notify 1;
    wait 1;
    CHECK_EQUAL(step[neighbour], 1);
    SYNCHRONISE;
    if (q.wait)
        barrier;
    else
        barrier i;
    upc_forall (i = 0; i < THREADS; i++; i)
        step[i] = 2;
    upc_barrier;
    CHECK_EQUAL(step[neighbour], 2);

    notify;
    CHECK_EQUAL(counted(&q), 1);
    wait;
    CHECK(WIFEXITED(0));
    return finish();
}

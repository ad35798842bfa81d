// threads: 1 2 3 4 7
// Barriers in every place: split phases around work, in functions, loops, recursion, with values of all
// types, named on some threads only.
#include <upc.h>
#include "check.h"
#define SYNC upc_barrier
#define SYNC_VALUE(v)  \
    do {               \
        upc_notify(v); \
        upc_wait(v);   \
    } while (0)

enum phase { INIT, WORK, DONE };

shared int a[2][THREADS];
shared int stage[THREADS];
static int calls;
static shared int counter;

static int value(void) { return ++calls; }

static void helper(void) { upc_barrier; }

static void split_begin(int v)
{
    upc_notify
    v;
}

static void split_end(int v)
{
    upc_wait
    v;
}

static int recurse(int n)
{
    if (n == 0)
        return 0;
    upc_barrier
    n;
    return 1 + recurse(n - 1);
}

static void check_all(int expected, int line)
{
    int t;
    upc_barrier;
    for (t = 0; t < THREADS; t++)
        if (stage[t] != expected) {
            check_failed++;
            printf("line %d: %d\n", line, stage[t]);
        }
    upc_barrier;
}

int main(void)
{
    int i, t = (MYTHREAD + 1) % THREADS, cur = 0;
    enum phase ph;
    long l = 5;
    char c = 'x';
    unsigned u = 7;
    short s = -3;

    struct {
        int v;
    } st = {9};

    for (i = 0; i < 20; i++) {
        a[cur][MYTHREAD] = i + MYTHREAD;
        upc_notify;
        calls += i;
        upc_wait;
        CHECK_EQUAL(a[cur][t], i + t);
        cur = !cur;
    }
    calls = 0;
    for (ph = INIT; ph <= DONE; ph++) {
        stage[MYTHREAD] = ph;
        upc_barrier
        ph;
        CHECK_EQUAL(stage[t], ph);
        upc_barrier(ph + 1)
        *2;
    }
    upc_barrier
    l;
    upc_barrier
    c;
    upc_barrier
    u;
    upc_barrier
    s;
    upc_barrier
    st.v;
    upc_barrier(l, u);
    upc_barrier
    -1;
    upc_barrier
    ~0;
    upc_barrier
    2147483647;
    upc_barrier
    0;
    upc_barrier
    value();
    upc_barrier
    calls;
    CHECK_EQUAL(calls, 1);
    upc_barrier
    sizeof(int);
    upc_barrier
    l > u ? 1 : 2;
    upc_barrier
    'a';
    upc_barrier
    THREADS * 2 - 1;
    upc_barrier
    !MYTHREAD * 0;
    upc_barrier
    1 << 3 | 1;
    if (MYTHREAD == 0)
        upc_barrier
    4;
    else upc_barrier;
    if (MYTHREAD % 2) {
        upc_notify
        5;
        upc_wait
        5;
    } else {
        upc_notify;
        upc_wait;
    }
    if (MYTHREAD == THREADS - 1) {
        upc_notify;
        upc_wait
        8;
    } else {
        upc_notify
        8;
        upc_wait;
    }
    if (MYTHREAD)
        upc_barrier
    6;
    else
    {
        upc_notify
        6;
        upc_wait
        6;
    }
    upc_notify
    3;
    upc_wait;
    upc_notify;
    upc_wait
    3;
    split_begin(3);
    for (i = 0; i < 100; i++)
        calls += i;
    split_end(3);
    split_begin(i);
    if (MYTHREAD == 0)
        counter = 0;
    split_end(100);
    helper();
    CHECK_EQUAL(recurse(5), 5);
    SYNC;
    SYNC_VALUE(11);
    SYNC_VALUE((l + 1));
    stage[MYTHREAD] = 10;
    check_all(10, __LINE__);
    stage[MYTHREAD]++;
    check_all(11, __LINE__);
    if (MYTHREAD % 2)
        helper();
    else {
        upc_barrier;
    }
    switch (MYTHREAD % 3) {
    case 0:
        upc_barrier;
        break;
    case 1:
        helper();
        break;
    default:
        upc_notify;
        upc_wait;
    }
    i = 3;
    while (i--) {
        if (i == 1)
            continue;
        upc_barrier
        i;
    }
    do
        upc_barrier;
    while (0);
    for (i = 0; i < 10; i++) {
        if (i % THREADS == MYTHREAD)
            counter++;
        upc_barrier;
    }
    CHECK_EQUAL(counter, 10);
    upc_fence;
    {
        upc_fence;
    }
    if (i)
        upc_fence;
    else
        upc_fence;
    {
        upc_barrier;
        {
            upc_barrier;
        }
    };
    ;
    upc_barrier;
    upc_notify
    /* comment */ 7;
    upc_wait // to the end
    7;
    for (i = 0; i < 300; i++)
        upc_barrier
    i;
    return finish();
}

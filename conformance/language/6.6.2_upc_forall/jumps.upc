// threads: 1 2 3 4 7
// A upc_forall that longjmp leaves is active no more: those that follow distribute their iterations
// again.
#include <setjmp.h>
#include <signal.h>
#include <upc.h>
#include "check.h"
#define N 8
shared int a[N * THREADS];
static jmp_buf outside, within;
static sigjmp_buf of_signal;

static int own(void)
{
    int n = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        n++;
    return n;
}

static void find(int x)
{
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        if (i / THREADS == x)
            longjmp(outside, 1);
}

static void find_by_steps(int x)
{
    upc_forall (int i = 0; i < N * THREADS; i += 1 + i % 1; i)
        upc_forall (int j = 0; j < N * THREADS; j++; j)
            if (j == x)
                longjmp(outside, 1);
}

static void back(int number)
{
    (void)number;
    siglongjmp(of_signal, 1);
}

int main(void)
{
    CHECK_EQUAL(own(), N);
    if (setjmp(outside) == 0)
        find(3);
    CHECK_EQUAL(own(), N);
    if (setjmp(outside) == 0)
        find_by_steps(3);
    CHECK_EQUAL(own(), N);

    /* An active one is active again where the jump ends within it. */
    volatile int all = 0;
    upc_forall (int i = 0; i < THREADS; i++; i) {
        if (setjmp(within) == 0)
            upc_forall (int j = 0; j < THREADS; j++; j)
                longjmp(within, 1);
        all += own();
    }
    CHECK_EQUAL(all, N * THREADS);
    CHECK_EQUAL(own(), N);

    signal(SIGUSR2, back);
    if (sigsetjmp(of_signal, 1) == 0)
        upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
            raise(SIGUSR2);
    CHECK_EQUAL(own(), N);
    return finish();
}

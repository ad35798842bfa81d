// threads: 1 2 3 4 7
// longjmp, variable arguments, variable-length arrays and barriers as statements of every construct.
#include <upc_strict.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include "check.h"
static jmp_buf env;
shared int flag[THREADS];
shared int *vsum(int n, ...);
#pragma upc strict
shared int turn;

static int va(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--) {
        shared int *p = va_arg(ap, shared int *);
        s += *p;
    }
    va_end(ap);
    return s;
}

static shared [] char *cat(shared [] char *d, const char *s)
{
    shared [] char *r = d;
    while (*d)
        d++;
    while ((*d++ = *s++))
        ;
    return r;
}

int main(void)
{
    volatile int k = 0;
    int n = setjmp(env);
    flag[MYTHREAD] = n + 1;
    if (n < 3)
        longjmp(env, n + 1);
    CHECK_EQUAL(flag[MYTHREAD], 4);
    {
#pragma upc relaxed
        flag[MYTHREAD] += 1;
        int a[THREADS], i;
        int(*pa)[THREADS] = &a;
        for (i = 0; i < THREADS; i++)
            a[i] = i;
        (*pa)[0] = 3;
        CHECK_EQUAL(sizeof a, THREADS * sizeof(int));
        CHECK_EQUAL(a[0], 3);
    }
    CHECK_EQUAL(va(3, &flag[MYTHREAD], flag + MYTHREAD, (shared int *)&flag[MYTHREAD]), 15);
    shared [] char *s = upc_alloc(100);
    s[0] = 0;
    cat(cat(s, "ab"), "cde");
    CHECK(!strcmp((char *)s, "abcde"));
    upc_fence;
    upc_notify;
    k++;
    upc_wait;
    upc_notify
    3 * 2;
    k++;
    upc_wait
    6;
    upc_barrier
    k;
    upc_barrier(k + 1);
    upc_barrier
    -1;
    upc_barrier
    THREADS;
    upc_barrier
    flag[0] * 0;
    if (k)
        upc_barrier;
    else
        upc_fence;
    for (n = 0; n < 2; n++)
        upc_barrier
    n;
    do
        upc_notify;
    while (0);
    upc_wait;
    switch (k) {
    case 2:
        upc_barrier;
        break;
    default:
        upc_barrier
        1;
    }
lab:
    upc_fence;
    if (k++ < 4)
        goto lab;
    shared strict int *sp = (strict shared int *)&turn;
    while (*sp != MYTHREAD)
        ;
    turn = MYTHREAD + 1;
    upc_barrier;
    CHECK_EQUAL(turn, THREADS);
    return finish();
}

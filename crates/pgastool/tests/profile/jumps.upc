/* Leaves three nested functions 100,000 times: by returning, or by longjmp or siglongjmp. */
#include <setjmp.h>
#include <stdio.h>
#include <upc.h>

#define RETURN 1
#define LONGJMP 2
#define SIGLONGJMP 3
#define ROUNDS 100000

#if HOW == SIGLONGJMP
typedef sigjmp_buf place;
#define MARK(p) sigsetjmp(p, 1)
#define LEAVE(p) siglongjmp(p, 1)
#else
typedef jmp_buf place;
#define MARK(p) setjmp(p)
#define LEAVE(p) longjmp(p, 1)
#endif

static place back;
static volatile int sink;
shared int x[THREADS];

static __attribute__((noinline)) void inner(int n)
{
    sink += n;
#if HOW != RETURN
    LEAVE(back);
#endif
}

static __attribute__((noinline)) void middle(int n)
{
    char room[100];

    room[n % 100] = 1;
    sink += room[n % 100];
    inner(n);
}

static __attribute__((noinline)) void outer(int n)
{
    middle(n + 1);
}

static __attribute__((noinline)) int one_round(int n)
{
    if (MARK(back) == 0)
        outer(n);
    return 1;
}

int main(void)
{
    volatile int rounds = 0;

    for (int i = 0; i < ROUNDS; i++)
        rounds += one_round(i);
    /* Also from the function itself, and what comes after it. */
    if (MARK(back) == 0)
        outer(1);
    upc_barrier;
    x[MYTHREAD] = rounds;
    printf("%d rounds\n", rounds);
    return 0;
}

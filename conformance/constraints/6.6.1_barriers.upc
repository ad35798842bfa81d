// threads: dynamic 4
// Values of barriers, and their order where it can be seen.
#include <upc.h>
#include <stdio.h>
struct s { int x; } s;
shared int count;
shared int *p;
void other(void);
void values(int n)
{
    upc_barrier 1; upc_barrier n; upc_barrier 'c'; upc_barrier (n + 1); upc_barrier 10000000000; upc_barrier count;
    upc_barrier MYTHREAD * 0; upc_barrier -1; upc_notify THREADS; upc_wait n ? 1 : 2; upc_barrier (long)p;
    upc_barrier p;                      /* error: the value of upc_barrier must be a number, and this is a pointer-to-shared */
    upc_barrier 10.5; upc_notify 2.0f;
    upc_wait s;                         /* error: the value of upc_wait must be a number, and this is 'struct s' */
    upc_barrier "name";                 /* error: the value of upc_barrier must be a number, and this is a pointer */
    upc_barrier other();                /* error: the value of upc_barrier must be a number, and this is 'void' */
    upc_fence 1;                        /* error: expected ';' after 'upc_fence' */
}
void notify_twice(void)
{
    upc_notify;
    upc_notify;                         /* warning: upc_notify after upc_notify */
    upc_wait;
}
void barrier_between(void)
{
    upc_notify;
    printf("between\n");
    upc_barrier;                        /* warning: upc_barrier between upc_notify and upc_wait */
    upc_wait;
}
void wait_twice(void)
{
    upc_notify 1;
    upc_wait 1;
    count++;
    upc_wait;                           /* warning: upc_wait without upc_notify before it */
}
void values_differ(int n)
{
    upc_notify 1;
    upc_wait 2;                         /* warning: upc_notify and upc_wait with different values */
    upc_notify 1; upc_wait;
    upc_notify; upc_wait 2;
    upc_notify n; upc_wait 2;
    upc_notify 2; upc_wait 1 + 1;
}
/* The other half can be in another function, or on another way. */
void first_half(void) { upc_notify; }
void second_half(void) { upc_wait; upc_barrier; }
void branches(int n)
{
    upc_notify;
    if (n)
        upc_wait;
    else
        upc_wait;
    if (n)
        upc_notify;
    else {
        upc_notify;
    }
    upc_wait;
    while (n--) {
        upc_notify;
        upc_wait;
    }
    upc_notify;
    other();
    upc_notify;
    goto out;
out:
    upc_wait;
    switch (n) {
    case 1:
        upc_notify;
        break;
    case 2:
        upc_notify;
        break;
    default:
        upc_barrier;
        return;
    }
    upc_wait;
    for (; n < 3; n++)
        upc_notify;
    upc_notify; { upc_wait; } upc_barrier; upc_barrier;
}
int main(void) { return 0; }

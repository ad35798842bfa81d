/* Work queue: a counter under a lock hands out tasks one at a time; tasks are in a shared array. */
#include <upc_relaxed.h>
#include <stdio.h>
#define TASKS 4000
shared int next;
shared int work[TASKS];
shared double result[TASKS];
upc_lock_t *lock;

static int take(void)
{
    upc_lock(lock);
    int mine = next; /* TAKE */
    next = mine + 1;
    upc_unlock(lock);
    return mine;
}

static double crunch(int n)
{
    double s = 0;
    for (int i = 1; i <= n; i++) s += 1.0 / i;
    return s;
}

int main(void)
{
    lock = upc_all_lock_alloc();
    upc_forall (int i = 0; i < TASKS; i++; i) work[i] = 50 + i % 100;
    upc_barrier;
    int i;
    while ((i = take()) < TASKS) result[i] = crunch(work[i]);
    upc_barrier;
    if (MYTHREAD == 0) printf("%g\n", result[1]);
    return 0;
}

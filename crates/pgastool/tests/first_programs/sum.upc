/* A sum that all threads add to under one lock, term by term. */
#include <upc_relaxed.h>
#include <stdio.h>
#define PER 10000
shared double s;
upc_lock_t *lock;

static void add(void)
{
    for (int i = 0; i < PER; i++) {
        double x = 1.0 / (1 + i * THREADS + MYTHREAD);
        upc_lock(lock);
        s += x; /* ADD */
        upc_unlock(lock);
    }
}

int main(void)
{
    lock = upc_all_lock_alloc();
    upc_barrier;
    add();
    upc_barrier;
    if (MYTHREAD == 0) printf("%g\n", s);
    return 0;
}

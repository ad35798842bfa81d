// Two threads take a lock in turns as fast as they can, so that it is taken within nanoseconds of its release.
#include <stdio.h>
#include <upc.h>

#define ROUNDS 100000

shared long total;
upc_lock_t *lock;

int main(void)
{
    int i;

    lock = upc_all_lock_alloc();
    for (i = 0; i < ROUNDS; i++) {
        volatile int pause;

        upc_lock(lock);
        total++;
        upc_unlock(lock);
        for (pause = 0; pause < i % 50; pause++)
            ;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("taken %ld times\n", total);
    return total == (long)ROUNDS * THREADS ? 0 : 1;
}

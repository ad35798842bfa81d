// threads: 2 3
// Locks that are released by who does not hold them, taken twice, or used after they were freed.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared int number;

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0;
    upc_lock_t *lock = upc_all_lock_alloc(); /* fault 1: allocated with upc_all_lock_alloc */
    upc_lock_t *mine = upc_global_lock_alloc();

    upc_lock(lock);
    upc_unlock(lock);
    // Who holds a lock may free it.
    if (!upc_lock_attempt(mine))
        return 2;
    upc_lock_free(mine);
    upc_barrier;
    if (fault == 1 && MYTHREAD == 1)
        upc_unlock(lock); /* fault 1: upc_unlock of a lock that this thread does not hold */
    if (fault == 2) {
        if (MYTHREAD == 0)
            upc_lock(lock); /* fault 2: which thread 0 has locked */
        upc_barrier;
        if (MYTHREAD == 1)
            upc_unlock(lock); /* fault 2: thread 1: upc_unlock of a lock that this thread does not hold */
    }
    if (fault == 3 && MYTHREAD == 1) {
        upc_lock(lock); /* fault 3: which thread 1 has locked */
        upc_lock(lock); /* fault 3: upc_lock of a lock that this thread holds already */
    }
    if (fault == 4 && MYTHREAD == 1) {
        upc_lock_free(lock); /* fault 4: has freed with upc_lock_free */
        upc_lock(lock);      /* fault 4: upc_lock of what is no lock */
    }
    if (fault == 5 && MYTHREAD == 1) {
        upc_lock_free(lock); /* fault 5: has freed with upc_lock_free */
        upc_lock_free(lock); /* fault 5: upc_lock_free of memory that was freed before */
    }
    if (fault == 6) {
        if (MYTHREAD == 0)
            upc_lock(lock); /* fault 6: which thread 0 has locked */
        upc_barrier;
        if (MYTHREAD == 1)
            upc_lock_free(lock); /* fault 6: upc_lock_free of a lock that another thread holds */
    }
    if (fault == 7)
        upc_lock((upc_lock_t *)(shared void *)&number); /* fault 7: upc_lock of what is no lock: the shared object number */
    if (fault == 8)
        upc_lock(NULL); /* fault 8: upc_lock of a null pointer */
    if (fault == 9 && MYTHREAD == 0)
        upc_free((shared void *)lock); /* fault 9: upc_free of a lock */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

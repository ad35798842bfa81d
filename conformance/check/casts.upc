// threads: 3
// Casts to private pointers of what is not the thread's own.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared int numbers[2 * THREADS];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, *local = NULL;
    shared [] int *own = upc_alloc(3 * sizeof(int)); /* fault 2: allocated with upc_alloc */
    shared int *null = NULL;

    local = (int *)&numbers[MYTHREAD + THREADS];
    *local = 1;
    // Also one behind the end, of own memory, and null.
    local = (int *)(own + 3);
    local = (int *)null;
    if (local != NULL)
        return 2;
    upc_barrier;
    if (fault == 1)
        local = (int *)&numbers[(MYTHREAD + 1) % THREADS]; /* fault 1: a cast to a private pointer of data of thread */
    if (fault == 2) {
        upc_free(own);               /* fault 2: has freed with upc_free */
        local = (int *)own;          /* fault 2: a cast to a private pointer of what is no shared object */
    }
    if (fault == 3) {
        shared int *p = numbers + MYTHREAD + 1;
        *(char *)p = 1; /* fault 3: which only that thread may do */
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return local != NULL;
}

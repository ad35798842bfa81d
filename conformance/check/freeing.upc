// threads: 2
// What is freed must have been allocated, and once.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared int array[4 * THREADS];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, i;
    shared int *memory = upc_all_alloc(4 * THREADS, sizeof(int)); /* fault 2: allocated with upc_all_alloc */
    shared [] char *mine = upc_alloc(100);

    upc_free(NULL);
    for (i = 0; i < 10000; i++)
        upc_free(upc_alloc(1000 + i));
    for (i = 0; i < 10; i++)
        upc_all_free(upc_all_alloc(THREADS, 1 << 20));
    upc_barrier;
    if (fault == 1)
        upc_free(array); /* fault 1: of a pointer that no allocation gave: element 0 of the shared object array */
    if (fault == 2)
        upc_free(memory + 1); /* fault 2: of a pointer that is not to the begin of an allocation */
    if (fault == 3) {
        upc_free(mine); /* fault 3: has freed with upc_free */
        upc_free(mine); /* fault 3: upc_free of memory that was freed before */
    }
    if (fault == 4) {
        upc_all_free(memory); /* fault 4: has freed with upc_all_free */
        upc_barrier;
        upc_all_free(memory); /* fault 4: upc_all_free of memory that was freed before */
    }
    if (fault == 5)
        upc_lock_free((upc_lock_t *)(shared void *)mine); /* fault 5: upc_lock_free of memory that is not a lock */
    if (fault == 6)
        upc_free((shared void *)(array + 100000000)); /* fault 6: of a pointer that no allocation gave: address field */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

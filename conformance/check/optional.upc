// threads: 2 3
// The optional libraries: copies, atomic operations and casts of what is not there.
#include <upc.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <bupc_async.h>
#include <bupc_atomics.h>
#include <stdio.h>
#include <stdlib.h>

shared [4] long array[4 * THREADS];
shared int counter;

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, wrong = fault != 0 && MYTHREAD == 1, *there;
    shared [4] long *p = array;
    long buffer[8] = {0}, one = 1, old;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
    shared [] int *memory = upc_alloc(sizeof(int));

    upc_sync(upc_memget_nb(buffer, &array[4], 4 * sizeof(long)));
    upc_memput_nbi(&array[4 * MYTHREAD], buffer, 4 * sizeof(long));
    upc_synci();
    bupc_waitsync(bupc_memget_async(buffer, array, 4 * sizeof(long)));
    upc_barrier;
    upc_atomic_relaxed(domain, &old, UPC_ADD, &array[3], &one, NULL);
    bupc_atomicI_fetchadd_relaxed(&counter, 2);
    there = upc_cast(&counter); // of another thread's data, which is what it is for
    upc_barrier;
    if (*there != 2 * THREADS || upc_cast(NULL) != NULL)
        return 2;
    upc_barrier;
    if (fault == 1)
        upc_sync(upc_memget_nb(buffer, &array[5], 4 * sizeof(long))); /* fault 1: upc_memget_nb reads 32 bytes from byte 8 on, which is 8 beyond the end */
    if (fault == 2)
        upc_memset_nbi(p + 4 * THREADS, 0, 1); /* fault 2: upc_memset_nbi writes 1 bytes at element */
    if (fault == 3)
        bupc_waitsync(bupc_memput_async(&array[1], buffer, 4 * sizeof(long))); /* fault 3: bupc_memput_async writes 32 bytes */
    if (fault == 4)
        upc_atomic_strict(domain, NULL, UPC_ADD, p + 4 * THREADS, &one, NULL); /* fault 4: updates 8 bytes at element */
    if (fault == 5)
        bupc_atomicL_swap_strict((shared void *)(p + 4 * THREADS), 3); /* fault 5: updates 8 bytes at element */
    if (fault == 6)
        bupc_atomicI_fetchadd_strict(NULL, 3); /* fault 6: updates through a null pointer-to-shared */
    if (fault == 7) {
        upc_free(memory); /* fault 7: has freed with upc_free */
        there = upc_cast(memory); /* fault 7: a cast to a private pointer of what is no shared object */
    }
    if (fault == 8)
        upc_all_atomicdomain_alloc(wrong ? UPC_INT : UPC_LONG, UPC_ADD, 0); /* fault 8: must have the same type on all threads */
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    upc_free(memory);
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

// threads: 3
// modes: static
// The last block of an array may be cut off: what follows is no element, though the thread has room for it.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared [4] int array[6];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, private[4];
    shared [4] int *p = array;
    shared [2] short *q = upc_all_alloc(4, 2 * sizeof(short));

    p[5] = 1;
    q[7] = 1;
    // Whole blocks may be copied.
    upc_memget(private, &array[4], 4 * sizeof(int));
    upc_barrier;
    if (fault == 1)
        p[6] = 1; /* fault 1: element 6 of the shared object array */
    if (fault == 2)
        q[8] = 1; /* fault 2: writes 2 bytes at */
    if (fault == 3)
        upc_memget(private, &array[5], 4 * sizeof(int)); /* fault 3: 4 beyond the end of the part on thread 1 of */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

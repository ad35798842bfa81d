// threads: 2 4
// Barriers with values that differ, and the order of upc_notify and upc_wait.
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>

shared int source, destination[THREADS];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0;

    // Legal: named and anonymous ones, a notify and a wait on some threads and a barrier on others.
    if (MYTHREAD % 2)
        upc_barrier 7;
    else
        upc_barrier;
    if (MYTHREAD % 2) {
        upc_notify 8;
        upc_wait 8;
    } else
        upc_barrier 8;
    if (fault == 1) {
        if (MYTHREAD == 0)
            upc_barrier 1; /* fault 1: upc_barrier must have the same value on all threads */
        else
            upc_barrier 2; /* fault 1: 1 on thread 0 */
    }
    if (fault == 2) {
        if (MYTHREAD == THREADS - 1) {
            upc_notify 3; /* fault 2: upc_notify 3 */
            upc_wait 3;
        } else
            upc_barrier 4; /* fault 2: upc_barrier 4 */
    }
    if (fault == 3) {
        upc_notify; /* fault 3: between upc_notify */
        if (fault) upc_notify; /* fault 3: upc_notify between */
    }
    if (fault == 4)
        upc_wait; /* fault 4: upc_wait without a upc_notify before */
    if (fault == 5) {
        upc_notify;  /* fault 5: and its upc_wait */
        if (fault) upc_barrier; /* fault 5: upc_barrier between upc_notify */
        upc_wait;
    }
    if (fault == 6) {
        upc_notify;                                                 /* fault 6: and its upc_wait */
        upc_all_broadcast(destination, &source, sizeof(int), 0);    /* fault 6: upc_all_broadcast between upc_notify */
        upc_wait;
    }
    if (fault == 7) {
        if (MYTHREAD == 0)
            upc_barrier; /* fault 7: at upc_barrier */
        else
            upc_all_broadcast(destination, &source, sizeof(int), 0); /* fault 7: the same collective calls in the same order */
    }
    if (fault == 8) {
        upc_notify 5;           /* fault 8: upc_notify with the value 5 */
        upc_wait MYTHREAD + 5;  /* fault 8: is at upc_wait with the value */
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

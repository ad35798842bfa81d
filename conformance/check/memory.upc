// threads: 2 3
// Accesses through pointers-to-shared that are outside of the object, or come after
// it was freed.
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>

struct record { int a; double b; };
typedef shared [3] int *blocked_t;

shared int before[THREADS], target[4 * THREADS], behind[THREADS];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, sum = 0, i;
    shared int *cyclic = upc_all_alloc(4 * THREADS, sizeof(int)); /* fault 1: allocated with upc_all_alloc */
    blocked_t blocked = upc_all_alloc(2 * THREADS, 3 * sizeof(int));
    shared [] struct record *own = upc_alloc(6 * sizeof(struct record)); /* fault 3: allocated with upc_alloc */
    shared int *other = upc_global_alloc(THREADS, sizeof(int));
    shared int *p = target;
    shared [] int *part = (shared [] int *)&target[1];

    for (i = 0; i < 4 * THREADS; i++)
        cyclic[i] = p[i] = i;
    upc_barrier;
    for (i = 0; i < 6 * THREADS; i++)
        blocked[i] = i;
    for (i = 0; i < 6; i++)
        own[i].b = i;
    for (i = 0; i < 4; i++)
        sum += part[i];
    upc_barrier;
    if (MYTHREAD == 1) {
        if (fault == 1)
            cyclic[4 * THREADS] = 1; /* fault 1: writes 4 bytes at byte 16 of the part on thread 0 of the memory */
        if (fault == 2)
            sum = blocked[-1]; /* fault 2: reads 4 bytes at byte -4 of the part on thread */
        if (fault == 3)
            own[6].a++; /* fault 3: updates 4 bytes at byte 96 of the memory that thread 1 */
        if (fault == 4)
            own->b = (own + 5)[1].b; /* fault 4: reads 8 bytes at byte 104 of the memory that thread 1 */
        if (fault == 5)
            p[4 * THREADS] = 1; /* fault 5: of the shared object target */
        if (fault == 6)
            part[4] = 1; /* fault 6: of the shared object target */
        if (fault == 7)
            *(shared double *)&part[3] = 1; /* fault 7: some are behind the end */
        if (fault == 8) {
            upc_free(other); /* fault 8: has freed with upc_free */
            other[0] = 1;    /* fault 8: writes 4 bytes at the memory that thread 1 allocated with upc_global_alloc */
        }
        if (fault == 9) {
            shared [] int *q = upc_alloc(8);
            q[0] = 3;
            upc_free(q); /* fault 9: has freed with upc_free */
            shared [] int *r = upc_alloc(8);
            r[0] = 4;
            sum = q[0]; /* fault 9: reads 4 bytes at the memory */
        }
        if (fault == 10)
            *(shared int *)upc_resetphase((shared void *)(p + 100000000)) = 1; /* fault 10: where no shared object is */
        if (fault == 11)
            sum = own[6].b = 2.0; /* fault 11: writes 8 bytes at */
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return sum == -1;
}

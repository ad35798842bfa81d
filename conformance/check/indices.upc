// threads: 1 3
// Indices beyond the declared bounds of shared arrays, in each dimension, and of arrays in shared structures.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared int cyclic[10 * THREADS];
shared [4] double blocked[8 * THREADS];
shared [] char indefinite[12];
shared [3] short matrix[2 * THREADS][3];
shared struct {
    int head;
    int values[4];
    struct { long x; } deep[2][2];
} records[THREADS];
extern shared int later[]; /* fault 10: it is declared in */
shared long scalar;

int main(int argc, char **argv)
{
    static shared [2] int inner[2 * THREADS];
    int fault = argc > 1 ? atoi(argv[1]) : 0, at = fault == 2 ? -1 : 0, one = fault != 0, i;

    // What is within bounds is left alone.
    for (i = 0; i < 10 * THREADS; i++)
        cyclic[i] = matrix[i % (2 * THREADS)][i % 3] = records[i % THREADS].values[i % 4];
    upc_forall (i = 0; i < 8 * THREADS; i++; &blocked[i])
        blocked[i] += 1;
    shared [4] double *end = &blocked[8 * THREADS];
    if (end - blocked != 8 * THREADS)
        return 2;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        if (fault == 1)
            cyclic[10 * THREADS] = 1; /* fault 1: of cyclic is not within the bounds 0 to */
        if (fault == 2)
            blocked[at] += 1; /* fault 2: index -1 of blocked is not within */
        if (fault == 3)
            return indefinite[11 + one]; /* fault 3: index 12 of indefinite is not within the bounds 0 to 11 */
        if (fault == 4)
            matrix[0][2 + one]++; /* fault 4: index 3 in dimension 2 of matrix is not within the bounds 0 to 2 */
        if (fault == 5)
            matrix[2 * THREADS][0]++; /* fault 5: in dimension 1 of matrix is not within */
        if (fault == 6)
            records[0].values[3 + one] = 1; /* fault 6: index 4 of values is not within the bounds 0 to 3 */
        if (fault == 7)
            records[THREADS].head = 1; /* fault 7: of records is not within */
        if (fault == 8)
            records[0].deep[1][1 + one].x = 1; /* fault 8: index 2 of deep is not within the bounds 0 to 1 */
        if (fault == 9)
            inner[2 * THREADS] = 1; /* fault 9: of inner is not within */
        if (fault == 10)
            later[5 * THREADS] = 1; /* fault 10: of later is not within */
        if (fault == 11)
            (&scalar)[one] = 1; /* fault 11: index 1 of scalar is not within the bounds 0 to 0 */
        if (fault == 12)
            *(cyclic + 9 + 10 * THREADS) = 1; /* fault 12: of cyclic is not within the bounds */
    }
    // In the loop over own elements too.
    if (fault == 13)
        upc_forall (i = 0; i < 11 * THREADS; i++; &cyclic[i])
            cyclic[i] = i; /* fault 13: of cyclic is not within the bounds */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

shared int later[5 * THREADS];

// threads: 2
// Pointers-to-shared that are null, misaligned, or that nothing can point to.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { char tag; int n : 5; double d; };
shared [4] int array[8 * THREADS];
shared [] double numbers[8];
shared struct record *nowhere;
static shared [4] int *shared_pointer(void) { return NULL; }

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0;
    shared int *null = NULL;
    shared [4] int *p = array + 5;
    shared [] double *odd = (shared [] double *)((shared [] char *)numbers + 4);
    unsigned long words[2];

    array[5] = 5;
    if (*p != 5 || null != NULL || null == (shared int *)p)
        return 2;
    if (fault == 1)
        *null = 1; /* fault 1: writes through a null pointer-to-shared */
    if (fault == 2)
        return null[3]; /* fault 2: through a null pointer-to-shared */
    if (fault == 3)
        nowhere->d = 1; /* fault 3: writes through a null pointer-to-shared */
    if (fault == 4)
        nowhere[MYTHREAD].n = 1; /* fault 4: through a null pointer-to-shared */
    if (fault == 5)
        return shared_pointer()[2]; /* fault 5: through a null pointer-to-shared */
    if (fault == 6)
        *odd = 1; /* fault 6: misaligned pointer-to-shared: its address must be a multiple of 8 and is 4 more */
    if (fault == 7)
        ((shared [] struct record *)odd)->tag = 1; /* fault 7: misaligned pointer-to-shared */
    memcpy(words, &p, sizeof words);
    if (fault == 8) {
        words[1] = 9;
        memcpy(&p, words, sizeof p);
        p[1] = 2; /* fault 8: the impossible phase 9: its type has blocks of 4 elements */
    }
    if (fault == 9) {
        words[0] += 300ul << 36;
        memcpy(&p, words, sizeof p);
        *p = 2; /* fault 9: writes through a pointer-to-shared to thread 30 */
    }
    if (fault == 10)
        nowhere->n = 1; /* fault 10: through a null pointer-to-shared */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

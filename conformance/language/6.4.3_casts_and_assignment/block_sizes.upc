// threads: 1 2 3 4 7
// Casts between block sizes within expressions, through shared void and integers.
#include <upc.h>
#include "check.h"

shared [5] int b5[10 * THREADS];
shared int c1[10 * THREADS];
shared [] int *ind;
shared [3] int *p3;
shared void *v;
shared const void *cv;
const shared [5] int *cp5;
typedef shared [5] int int5;

int main()
{
    int i;
    upc_forall (i = 0; i < 10 * THREADS; i++; &b5[i])
        b5[i] = i;
    upc_forall (i = 0; i < 10 * THREADS; i++; &c1[i])
        c1[i] = i;
    upc_barrier;
    CHECK_EQUAL(*((shared [] int *)&b5[5 * (THREADS - 1)] + 3), 5 * (THREADS - 1) + 3);
    CHECK_EQUAL(*((shared [10] int *)b5 + 1), 1);
    CHECK_EQUAL(((shared int *)b5)[THREADS - 1], 5 * (THREADS - 1));
    CHECK_EQUAL(upc_threadof((shared [2] int *)b5 + 2), 1 % THREADS);
    v = &b5[7];
    cv = v;
    CHECK(cv == &b5[7] && v != NULL && &b5[7] == v);
    CHECK_EQUAL(upc_phaseof(v), 2);
    CHECK_EQUAL(*(shared [5] int *)v, 7);
    CHECK_EQUAL(*(int5 *)v, 7);
    cp5 = v;
    CHECK_EQUAL(cp5[1], 8);
    cp5 = b5;
    cp5 = &b5[1];
    CHECK_EQUAL(*cp5, 1);
    cp5 = (const shared [5] int *)cv;
    p3 = (shared [3] int *)&b5[1];
    CHECK_EQUAL(upc_phaseof(p3), 0);
    p3++;
    CHECK_EQUAL(*p3, 2);
    ind = (shared [] int *)(b5 + 4);
    CHECK_EQUAL(*ind, 4);
    ind = (shared [] int *)((shared [5] int *)v + 1);
    CHECK_EQUAL(*ind, 8);
    CHECK_EQUAL((long)&b5[0] != 0, 1);
uint_check:;
    unsigned long a = (unsigned long)&b5[6];
    CHECK(a == (unsigned long)((shared [] int *)&b5[5] + 1));
    CHECK_EQUAL(*(shared int *)(shared void *)&c1[3], 3);
    CHECK_EQUAL(*(shared int *)&c1[3], 3);
    CHECK_EQUAL(*(int *)&c1[MYTHREAD], MYTHREAD);
    CHECK_EQUAL(upc_resetphase(&b5[7]) == &b5[7], 1);
    CHECK_EQUAL(upc_phaseof(upc_resetphase(&b5[7])), 0);
    CHECK(upc_affinitysize(sizeof c1, sizeof(int), 0) >= 10 * sizeof(int));
    shared char *bytes = (shared char *)&c1[0];
    CHECK_EQUAL(upc_threadof(bytes + 1), 1 % THREADS);
    CHECK((shared void *)&c1[1] == (shared void *)(c1 + 1));
    CHECK(!(v == (shared void *)c1));
    CHECK_EQUAL((&c1[9] - &c1[2]), 7);
    CHECK_EQUAL((int)(&b5[9 * THREADS] - b5), 9 * THREADS);
    CHECK_EQUAL(b5 + 3 - (b5 + 1), 2);
    return finish();
}

// threads: 1 2 3 4 7
// p + n goes by elements in the order of the array, for every layout, forwards and backwards.
#include <upc.h>
#include "check.h"

#define N (12 * THREADS)
shared int cyclic[12 * THREADS];
shared [4] int blocked[12 * THREADS];
shared [5] short odd[12 * THREADS];
shared [] double indefinite[40];

int main(void)
{
    int i, j;
    shared int *c;
    shared [4] int *b;
    shared [5] short *o;
    shared [] double *d;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j += 5) {
            CHECK(&cyclic[i] + (j - i) == &cyclic[j]);
            CHECK(&blocked[i] + (j - i) == &blocked[j]);
            CHECK(&odd[j] - (j - i) == &odd[i]);
            CHECK_EQUAL(&blocked[j] - &blocked[i], j - i);
            CHECK_EQUAL(&cyclic[j] - &cyclic[i], j - i);
            CHECK_EQUAL(&odd[i] - &odd[j], i - j);
        }
    for (i = 0; i < 40; i++)
        CHECK_EQUAL(&indefinite[i] - indefinite, i);

    if (MYTHREAD == 0) {
        for (i = 0, c = cyclic; i < N; i++)
            *c++ = i;
        for (i = 0, b = blocked; i < N; i++, ++b)
            *b = 2 * i;
        for (i = N, o = odd + N; i > 0;)
            *--o = (short)(3 * --i);
        for (i = 0, d = indefinite; i < 40; i += 2, d += 2) {
            d[0] = i;
            d[1] = i + 1;
        }
    }
    upc_barrier;
    for (i = 0; i < N; i++) {
        CHECK_EQUAL(cyclic[i], i);
        CHECK_EQUAL(blocked[i], 2 * i);
        CHECK_EQUAL(odd[i], 3 * i);
        CHECK_EQUAL(*(blocked + i), 2 * i);
        CHECK_EQUAL(i[blocked], 2 * i);
    }
    for (i = 0; i < 40; i++)
        CHECK(indefinite[i] == i);

    b = &blocked[N - 1];
    CHECK_EQUAL(b[-3], 2 * (N - 4));
    b -= N - 1;
    CHECK(b == blocked);
    CHECK_EQUAL(*b++, 0);
    CHECK_EQUAL(*b, 2);
    CHECK_EQUAL(*++b, 4);
    CHECK_EQUAL(*b--, 4);
    CHECK_EQUAL(b[2L], 6);
    CHECK_EQUAL(b[(unsigned char)3], 8);
    unsigned one = 1;
    b += one;
    b -= one;
    CHECK_EQUAL(b - blocked, 1);
    c = cyclic + 3;
    c += -3;
    CHECK(c == cyclic);
    o = &odd[7];
    o = o - 7 + 3;
    CHECK_EQUAL(o - odd, 3);
    CHECK_EQUAL(upc_phaseof(o), 3);
    CHECK_EQUAL(upc_threadof(&blocked[4] - 1), 0);
    return finish();
}

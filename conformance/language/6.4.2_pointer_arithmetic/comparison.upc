// threads: 1 2 3 4 7
// Order is the order of elements, not of addresses.
#include <upc.h>
#include "check.h"

shared int a[4 * THREADS];
shared [3] int b[9 * THREADS];
shared [] int c[10];

int main(void)
{
    int i, j;

    for (i = 0; i < 4 * THREADS; i++)
        for (j = 0; j < 4 * THREADS; j++) {
            CHECK_EQUAL(&a[i] < &a[j], i < j);
            CHECK_EQUAL(&a[i] <= &a[j], i <= j);
            CHECK_EQUAL(&a[i] > &a[j], i > j);
            CHECK_EQUAL(&a[i] >= &a[j], i >= j);
            CHECK_EQUAL(&a[i] == &a[j], i == j);
            CHECK_EQUAL(&a[i] != &a[j], i != j);
        }
    for (i = 0; i < 9 * THREADS; i++)
        for (j = 0; j < 9 * THREADS; j++) {
            shared [3] int *p = b + i, *q = b + j;

            CHECK_EQUAL(p < q, i < j);
            CHECK_EQUAL(p >= q, i >= j);
            CHECK_EQUAL(p == q, i == j);
        }
    CHECK(c + 10 > c && c + 1 != c);
    int steps = 0;
    for (shared [3] int *p = b; p != b + 9 * THREADS; p++)
        steps++;
    CHECK_EQUAL(steps, 9 * THREADS);
    // The generic pointer compares with any other.
    shared void *v = &b[4];
    CHECK(v == &b[4]);
    CHECK(&b[5] != v);
    return finish();
}

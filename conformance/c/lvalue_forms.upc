// threads: 1 3
// Forms in which C lets a shared lvalue be written: with __extension__, in packed structures and unions, as part of a
// complex number, behind calls, with the index first.
#include <upc.h>
#include <complex.h>
#include <string.h>
#include "check.h"

shared int a[4 * THREADS];
shared double complex z[THREADS];
shared struct { char c; int x; } __attribute__((packed)) packed[THREADS];
shared struct {
    int n;
    union { int i; float f; } u;
    struct { int v[3]; } in[2];
    int b : 4, d : 9;
} s[THREADS];
shared int *shared pointers[THREADS];
shared [] int *shared lists[THREADS];

int at(shared int *p, int n) { return p[n]; }
shared int *all(void) { return a; }

int main(void)
{
    int i = MYTHREAD, sum = 0;

    __extension__ a[i] = 3;
    CHECK_EQUAL(__extension__ (a[i]), 3);
    (__extension__ a[i])++;
    CHECK_EQUAL(__extension__ a[i] + 1, 5);
    z[i] = 1 + 2 * I;
    CHECK_EQUAL(__real__ z[i] + __imag__ z[i], 3);
    packed[i].x = 4;
    packed[i].x++;
    CHECK_EQUAL(packed[i].x, 5);
    s[i].u.f = 1;
    CHECK_EQUAL(s[i].u.i, 0x3f800000);
    s[i].in[1].v[2] = 2;
    s[i].in[1].v[s[i].in[1].v[2] - 1]++;
    CHECK_EQUAL(s[i].in[1].v[1] * 10 + s[i].in[1].v[2], 12);
    s[i].b = 3;
    s[i].b++;
    s[i].d += 5;
    (&s[i])->d--;
    CHECK_EQUAL(s[i].b * 10 + s[i].d, 44);
    pointers[i] = a + i;
    *pointers[i] = 5;
    pointers[i][0]++;
    CHECK_EQUAL(*pointers[i], 6);
    pointers[i] += THREADS;
    *pointers[i] = 7;
    lists[i] = upc_alloc(10 * sizeof(int));
    memset((int *)lists[i], 0, 10 * sizeof(int));
    lists[i][9] = 1;
    *lists[i]++ = 3;
    --*lists[i];
    CHECK_EQUAL(lists[i][-1] + lists[i][0] + lists[i][8], 3);
    i[a] = 8;
    ++*(&a[i]);
    CHECK_EQUAL(i[a], 9);
    CHECK_EQUAL(at(a, i) + at(&a[0], i + THREADS), 16);
    all()[i]++;
    *(all() + i) += 2;
    CHECK_EQUAL(a[a[i] - a[i] + i], 12);
    upc_barrier;
    upc_forall (int j = 0; j < 4 * THREADS; j++; a + j)
        a[j] = j;
    upc_barrier;
    for (shared int *p = a; p < a + 4 * THREADS; p++)
        sum += *p;
    for (shared int *p = &a[4 * THREADS - 1]; p >= &a[0]; p--)
        sum -= *p;
    CHECK_EQUAL(sum, 0);
    return finish();
}

// threads: 1 2 3 4 7
// warns: return type defaults to
// Functions in every form: old style, inline, nested, of undeclared result, arrays as parameters,
// recursion.
#include <upc.h>
#include "check.h"

shared [10] double A[10 * THREADS];
shared int n_items;
shared [10] double *first(), *nth();
double dot(x, y, n) shared [10] double *x, *y;
int n;
{
    double s = 0;
    while (n-- > 0)
        s += *x++ * *y++;
    return s;
}

shared [10] double *first() { return A; }
shared [10] double *nth(n)
int n;
{
    return first() + n;
}

static inline shared int *addr(void) { return &n_items; }

inline static int __attribute__((always_inline)) val(shared const int *p) { return *p; }

extern int proto(shared int *, shared [] char *, shared void *),
    proto2(shared int a[], shared [2] int b[2][4], int (*cb)(shared int *));

int proto(shared int *p, shared [] char *c, shared void *v) { return (p != NULL) + (c != NULL) + (v != NULL); }

int proto2(shared int a[], shared [2] int b[2][4], int (*cb)(shared int *))
{
    return a[0] + (b == NULL) + cb(a);
}

static int cb1(shared int *p) { return *p * 2; }

static void swap(shared [10] double *a, shared [10] double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

void qs(shared [10] double *a, int lo, int hi)
{
    if (lo < hi) {
        int i = lo, j = hi;
        double p = a[(lo + hi) / 2];
        while (i <= j) {
            while (a[i] < p)
                i++;
            while (a[j] > p)
                j--;
            if (i <= j)
                swap(&a[i++], &a[j--]);
        }
        qs(a, lo, j);
        qs(a, i, hi);
    }
}

register_test(p) register shared int *p;
{
    return *p;
}

const shared int *cret(void) { return &n_items; }

shared void *vret(int i)
{
    if (i)
        return &A[i];
    else
        return NULL;
}

shared int *shared *ppret(void)
{
    static shared int *shared x[THREADS];
    return x;
}

int main(int argc, char *argv[])
{
    int i;
    upc_forall (i = 0; i < 10 * THREADS; i++; &A[i])
        A[i] = (i * 7) % (10 * THREADS);
    n_items = 5;
    upc_barrier;
    int nest(shared [10] double *q) { return (int)*q; }
    CHECK_EQUAL(nest(A + 1), 7 % (10 * THREADS));
    CHECK(dot(A, A, 2) == 49 || THREADS == 1);
    CHECK(*nth(1) == 7);
    CHECK(first()[1] == 7);
    CHECK(nth(3) - first() == 3);
    *addr() = 6;
    upc_barrier;
    CHECK_EQUAL(val(addr()), 6);
    CHECK_EQUAL(val(&n_items), 6);
    CHECK_EQUAL(proto(addr(), NULL, 0), 1);
    CHECK_EQUAL(proto2(addr(), NULL, cb1), 6 + 1 + 12);
    CHECK_EQUAL(register_test(addr()), 6);
    CHECK_EQUAL(*cret(), 6);
    CHECK(vret(0) == NULL && vret(3) == &A[3]);
    *ppret() = addr();
    upc_barrier;
    CHECK_EQUAL(**ppret(), 6);
    if (MYTHREAD == THREADS - 1)
        qs(A, 0, 10 * THREADS - 1);
    upc_barrier;
    int bad = 0;
    for (i = 1; i < 10 * THREADS; i++)
        if (A[i - 1] > A[i])
            bad++;
    CHECK_EQUAL(bad, 0);
    return finish();
}

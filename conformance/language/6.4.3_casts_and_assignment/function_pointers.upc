// threads: 1 2 3 4 7
// warns: return type defaults to
// Pointers to functions that take and return pointers-to-shared: in tables, structures, arguments, results.
#include <upc.h>
#include "check.h"

typedef shared [] char *shared [] * strtab;

typedef struct {
    shared [] double *shared *rows;
    int n;
} mat;

shared mat m0;
typedef void (*cb)(shared void *, int);
static int seen;

static void visit(shared void *p, int n)
{
    seen += n;
    if (p)
        seen += *(shared int *)p;
}

cb table[2] = {visit, &visit};

struct ops {
    cb f;
    shared int *(*get)(int);
    shared int *arg;
};

shared int data[THREADS];

static shared int *getter(int i) { return &data[i]; }
struct ops o = {visit, getter, data};

shared int *(*pick(int n))(int) { return n ? getter : 0; }

shared int *(*arr[3])(int) = {getter, 0, getter};

void apply(int n, void (*f)(shared void *, int), shared void *p)
{
    f(p, n);
    (*f)(p, n);
    (**f)(p, n);
}

main()
{
    data[MYTHREAD] = 10;
    upc_barrier;
    table[0](&data[0], 1);
    (*table[1])(NULL, 2);
    CHECK_EQUAL(seen, 13);
    o.f(o.get(0), 1);
    CHECK_EQUAL(seen, 24);
    CHECK_EQUAL(*pick(1)(0), 10);
    CHECK_EQUAL(*arr[2](THREADS - 1), 10);
    seen = 0;
    apply(2, visit, data);
    CHECK_EQUAL(seen, 36);
    {
        shared int *(*g)(int) = MYTHREAD >= 0 ? getter : 0;
        CHECK_EQUAL(*(*g)(0), 10);
    }
    return finish();
}

// threads: 1 2 3 4
// Null in every place where one can be written.
#include <upc.h>
#include <stddef.h>
#include "check.h"

shared int x;
shared int *global;
shared int *initialised = NULL, *zero = 0, *cast = (void *)0;
shared [] double *array[3] = {NULL, 0};
struct holder {
    int tag;
    shared [4] int *p;
} holder = {1, NULL};
shared int *shared in_shared[THREADS];

static shared int *give(int what)
{
    if (what == 1)
        return NULL;
    if (what == 2)
        return 0;
    return what == 3 ? &x : NULL;
}

static int is_null(shared void *p)
{
    return p == NULL;
}

static int is_null_too(shared int *p)
{
    return !p;
}

int main(void)
{
    shared int *p = NULL;
    int count = 0;

    CHECK(global == NULL && initialised == NULL && zero == 0 && cast == NULL);
    CHECK(!array[0] && !array[1] && !array[2] && !holder.p);
    CHECK(in_shared[MYTHREAD] == NULL);
    CHECK(p == NULL && NULL == p && p == 0 && !p && (p == (void *)0));
    CHECK(is_null(NULL) && is_null(0) && is_null_too(NULL) && is_null_too(0) && !is_null(&x));
    CHECK(give(1) == NULL && give(2) == NULL && give(3) == &x && !give(4));
    p = &x;
    CHECK(p && p != NULL && NULL != p && p != 0);
    if (p)
        count++;
    if (!p)
        count += 100;
    while (p) {
        p = NULL;
        count++;
    }
    for (p = &x; p; p = 0)
        count++;
    do
        count++;
    while (p);
    CHECK_EQUAL(count, 4);
    CHECK((p ? 1 : 2) == 2);
    CHECK((&x ? 1 : 2) == 1);
    CHECK((p || &x) && !(p && &x));
    p = MYTHREAD >= 0 ? &x : NULL;
    CHECK(p == &x);
    p = MYTHREAD < 0 ? &x : 0;
    CHECK(p == NULL);
    p = MYTHREAD < 0 ? NULL : p;
    CHECK(p == NULL);
    holder.p = 0;
    CHECK(holder.p == NULL);
    upc_free(NULL);
    upc_barrier;
    in_shared[(MYTHREAD + 1) % THREADS] = &x;
    upc_barrier;
    CHECK(in_shared[MYTHREAD] == &x);
    in_shared[MYTHREAD] = NULL;
    CHECK(in_shared[MYTHREAD] == NULL);
    shared int *local_array[2] = {0, &x};
    CHECK(local_array[0] == NULL && local_array[1] == &x);
    CHECK((shared int *)NULL == NULL && (shared [5] char *)0 == NULL);
    return finish();
}

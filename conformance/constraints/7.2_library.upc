// threads: dynamic 4
// Arguments and results of the library, and locks.
#include <upc.h>
#include <upc_collective.h>
upc_lock_t object;                      /* error: an object of type upc_lock_t */
shared upc_lock_t in_shared;            /* error: an object of type upc_lock_t */
upc_lock_t array[3];                    /* error: an object of type upc_lock_t */
void parameter(upc_lock_t l);           /* error: an object of type upc_lock_t */
struct holder { upc_lock_t l; };        /* error: an object of type upc_lock_t */
upc_lock_t *fine, *shared table[THREADS], *give(upc_lock_t *a);
struct fine_holder { upc_lock_t *l; };
shared int a[4 * THREADS];
shared [4] int b[4 * THREADS];
int x, buffer[4];
int f(int n)
{
    upc_lock_t local;                   /* error: an object of type upc_lock_t */
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    shared [4] int *q = upc_global_alloc(THREADS, 4 * sizeof(int));
    shared [] int *r = upc_alloc(40);
    int *l = (int *)upc_alloc(4);
    fine = upc_all_lock_alloc(); table[0] = upc_global_lock_alloc(); upc_lock(fine); upc_lock_free(table[MYTHREAD]);
    upc_memget(buffer, a, 4); upc_memput(b, buffer, 4); upc_memcpy(p, q, 4); upc_memset(r, 0, 4); upc_free(p); upc_free(NULL);
    n = upc_threadof(p) + upc_phaseof(q) + upc_threadof(&a[1]) + upc_addrfield(r);
    upc_all_broadcast(a, &b[0], 4, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    n = sizeof(upc_lock_t);             /* error: upc_lock_t is an incomplete type */
    n = sizeof(upc_lock_t *);
    l = upc_alloc(4);                   /* error: cannot assign a pointer-to-shared as a pointer-to-private */
    upc_lock(&x);                       /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    upc_free(&x);                       /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    upc_memget(a, buffer, 4);           /* error: cannot pass a pointer-to-shared as a pointer-to-private */ /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    upc_memput(buffer, buffer, 4);      /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    upc_memcpy(buffer, a, 4);           /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    upc_memset(buffer, 0, 4);           /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    n = upc_threadof(&x);               /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    n = upc_phaseof(n);                 /* error: cannot pass a number as a pointer-to-shared */
    upc_all_broadcast(a, &x, 4, 0);     /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    return n + *l;
}
int main(void) { return 0; }

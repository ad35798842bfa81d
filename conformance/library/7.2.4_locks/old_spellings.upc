// threads: 1 2 3 4 7
// Old spellings that are still about: shared upc_lock_t, locks in shared memory, casts around every
// argument.
#include <upc.h>
#include "check.h"
shared upc_lock_t *l1;
upc_lock_t shared *l2;
upc_lock_t *shared l3;
static upc_lock_t *shared l4[THREADS];
shared upc_lock_t *shared l5;
typedef upc_lock_t *lock_p;
lock_p l6;
lock_p shared l7[2 * THREADS];

struct has {
    lock_p l;
} h;
shared struct has sh[THREADS];
const upc_lock_t *l8;
shared int n;
shared [5] int x[5 * THREADS], y[5 * THREADS];
shared [] int *fl;

void with(lock_p l, void (*f)(void))
{
    upc_lock(l);
    f();
    upc_unlock(l);
}

void bump(void) { n++; }

upc_lock_t *get(void) { return l3; }

static void locked(shared upc_lock_t *l)
{
    upc_lock(l);
    n++;
    upc_unlock(l);
}

int main()
{
    l1 = upc_all_lock_alloc();
    l2 = upc_all_lock_alloc();
    if (!MYTHREAD) {
        l3 = upc_global_lock_alloc();
        l5 = l3;
    }
    l4[MYTHREAD] = (upc_lock_t *)upc_global_lock_alloc();
    l6 = l1;
    l7[MYTHREAD] = l6;
    h.l = l2;
    sh[MYTHREAD].l = l2;
    upc_barrier;
    with(l1, bump);
    with(get(), bump);
    with(l4[0], bump);
    with(h.l, bump);
    with(sh[0].l, bump);
    locked(l2);
    locked(l3);
    with(l7[0], &bump);
    upc_lock(l1);
    upc_unlock((upc_lock_t *)l1);
    // Others have taken l4[0].
    upc_barrier;
    CHECK(upc_lock_attempt(l4[MYTHREAD]) == 1);
    upc_unlock(l4[MYTHREAD]);
    CHECK(l5 == l3 && l6 == l1 && l1 != l2 && (l1 ? 1 : 0) && l8 == NULL);
    for (int i = 0; i < 5; i++)
        x[5 * MYTHREAD + i] = i;
    upc_barrier;
    upc_memcpy((shared void *)&y[5 * MYTHREAD], (shared void *)&x[5 * ((MYTHREAD + 1) % THREADS)],
               5 * sizeof(int));
    upc_barrier;
    CHECK_EQUAL(y[5 * MYTHREAD + 4], 4);
    upc_memset((shared void *)(y + 5 * MYTHREAD), (int)0, (size_t)(5 * sizeof(int)));
    CHECK_EQUAL(y[5 * MYTHREAD + 4], 0);
    int buf[5];
    upc_memget((void *)buf, (shared void *)(x + 5 * MYTHREAD), sizeof buf);
    CHECK_EQUAL(buf[3], 3);
    upc_memput((shared void *)(&y[0] + 5 * MYTHREAD), (void *)&buf[0], 20);
    CHECK_EQUAL(y[5 * MYTHREAD + 2], 2);
    fl = (shared [] int *)upc_alloc((size_t)5 * sizeof(int));
    upc_memput(fl, buf, 20);
    upc_memcpy(&y[5 * MYTHREAD], fl + 1, 4);
    CHECK_EQUAL(y[5 * MYTHREAD], 1);
    upc_memget(buf + 1, fl + 3, sizeof(int) * 2);
    CHECK_EQUAL(buf[2], 4);
    upc_memput(fl + 2, &buf[2], sizeof *buf);
    CHECK_EQUAL(fl[2], 4);
    upc_memcpy(fl, &y[5 * MYTHREAD + 1], sizeof(int) * 3);
    CHECK_EQUAL(fl[0], 1);
    upc_free((shared void *)fl);
    upc_barrier;
    CHECK_EQUAL(n <= 8 * THREADS && n >= THREADS, 1);
    upc_barrier;
    if (!MYTHREAD) {
        upc_lock_free((upc_lock_t *)l3);
        upc_lock_free(l1);
    }
    return finish();
}

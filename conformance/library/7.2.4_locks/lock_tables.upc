// threads: 1 2 3 4 7
// Pointers to locks in shared arrays, structures and allocated tables; attempts in conditions.
#include <upc.h>
#include "check.h"
upc_lock_t *shared locks[THREADS];
upc_lock_t *mine;
upc_lock_t *shared one;

struct q {
    upc_lock_t *l;
    int n;
};
shared struct q queues[THREADS];
upc_lock_t *table[4];
shared int counter, hits[THREADS];
upc_lock_t *shared *dyn;
static upc_lock_t *sl = NULL;

static upc_lock_t *make(void) { return upc_global_lock_alloc(); }

static void inc(upc_lock_t *l, shared int *c)
{
    upc_lock(l);
    (*c)++;
    upc_unlock(l);
}

int main()
{
    int i, n = 0;
    locks[MYTHREAD] = make();
    queues[MYTHREAD].l = upc_global_lock_alloc();
    queues[MYTHREAD].n = 0;
    for (i = 0; i < 4; i++)
        table[i] = upc_all_lock_alloc();
    mine = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        one = mine;
    sl = mine;
    upc_barrier;
    CHECK(one == mine && sl == one && table[0] != table[1] && locks[0] != NULL && one);
    for (i = 0; i < 20; i++) {
        upc_lock(locks[i % THREADS]);
        queues[i % THREADS].n++;
        upc_unlock(locks[i % THREADS]);
        inc(one, &counter);
    }
    upc_barrier;
    CHECK_EQUAL(counter, 20 * THREADS);
    for (i = 0; i < THREADS; i++)
        n += queues[i].n;
    CHECK_EQUAL(n, 20 * THREADS);
    while (!upc_lock_attempt(queues[0].l))
        ;
    hits[0]++;
    upc_unlock(queues[0].l);
    upc_barrier;
    CHECK_EQUAL(hits[0], THREADS);
    upc_barrier;
    if (upc_lock_attempt(locks[MYTHREAD])) {
        CHECK(1);
        upc_unlock(locks[MYTHREAD]);
    } else
        CHECK(0);
    upc_barrier;
    upc_lock(table[1]);
    upc_lock(table[2]);
    hits[0] += 1;
    upc_unlock(table[1]);
    upc_unlock(table[2]);
    dyn = (upc_lock_t * shared *)upc_all_alloc(THREADS, sizeof(upc_lock_t *));
    dyn[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    upc_lock(dyn[(MYTHREAD + 1) % THREADS]);
    upc_unlock(dyn[(MYTHREAD + 1) % THREADS]);
    {
        upc_lock_t *l = dyn[0];
        upc_lock(l);
        upc_unlock(l);
    }
    upc_barrier;
    upc_lock_free(locks[MYTHREAD]);
    upc_all_lock_free(mine);
    if (MYTHREAD == THREADS - 1) {
        upc_lock_free(table[0]);
        upc_lock(table[3]);
        upc_lock_free(table[3]);
    }
    upc_lock_free(NULL);
    return finish();
}

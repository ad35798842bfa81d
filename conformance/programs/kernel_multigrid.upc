// threads: 1 2 3 4 7
// The manner of MG: for each level an array of structures that hold a pointer to the thread's grid, allocated in a loop;
// macros that cast the own grid to local; ghost cells put into the neighbours' grids; a lock around a maximum.
#include <upc_relaxed.h>
#include <string.h>
#include "check.h"

#define LEVELS 4
#define CELLS(level) (4 << (level)) /* of each thread, without the two ghosts */

typedef struct sh_arr_s {
    shared [] double *arr;
    int cells;
} sh_arr_t;

shared sh_arr_t sh_u[LEVELS * THREADS], sh_r[LEVELS * THREADS];
shared double *whole; /* one block of the coarsest cells a thread */
shared double rnmu;
upc_lock_t *max_lock;

#define OF(array, level, thread) array[(level) * THREADS + (thread)]
#define u(level) ((double *)OF(sh_u, level, MYTHREAD).arr)
#define r(level) ((double *)OF(sh_r, level, MYTHREAD).arr)

static void exchange(shared sh_arr_t *grids, double *own, int level)
{
    int n = CELLS(level), below = (MYTHREAD + THREADS - 1) % THREADS, above = (MYTHREAD + 1) % THREADS;

    upc_memput(&grids[level * THREADS + below].arr[n + 1], &own[1], sizeof(double));
    upc_memput(grids[level * THREADS + above].arr, own + n, sizeof(double));
    upc_barrier;
}

int main(void)
{
    int level, i, thread;
    double own_max = 0;

    max_lock = upc_all_lock_alloc();
    for (level = 0; level < LEVELS; level++) {
        sh_arr_t *entry = (sh_arr_t *)&OF(sh_u, level, MYTHREAD);
        shared [] double *all;

        entry->arr = (shared [] double *)upc_alloc((CELLS(level) + 2) * sizeof(double));
        entry->cells = CELLS(level);
        OF(sh_r, level, MYTHREAD).arr = upc_alloc((CELLS(level) + 2) * sizeof(double));
        memset(r(level), 0, (CELLS(level) + 2) * sizeof(double));
        /* A collective allocation in a loop, each freed at once but the last. */
        whole = (shared double *)upc_all_alloc(THREADS, CELLS(0) * sizeof(double));
        all = (shared [] double *)(whole + MYTHREAD);
        for (i = 0; i < CELLS(0); i++)
            all[i] = MYTHREAD + i;
        upc_barrier;
        for (i = 0; i < CELLS(0); i++)
            CHECK(whole[(MYTHREAD + 1) % THREADS + i * THREADS] == (MYTHREAD + 1) % THREADS + i);
        upc_barrier;
        if (MYTHREAD == 0 && level < LEVELS - 1)
            upc_free(whole);
    }

    for (level = 0; level < LEVELS; level++) {
        int n = CELLS(level);

        for (i = 1; i <= n; i++)
            u(level)[i] = MYTHREAD * n + i;
        upc_barrier;
        exchange(sh_u, u(level), level);
        for (i = 1; i <= n; i++)
            r(level)[i] = u(level)[i - 1] - 2 * u(level)[i] + u(level)[i + 1];
        /* It is linear but where the ends meet. */
        for (i = 1; i <= n; i++) {
            double jump = n * THREADS;
            double expected = (MYTHREAD == 0 && i == 1 ? jump : 0) - (MYTHREAD == THREADS - 1 && i == n ? jump : 0);

            CHECK(r(level)[i] == expected);
            if (r(level)[i] > own_max)
                own_max = r(level)[i];
        }
        CHECK_EQUAL(OF(sh_u, level, (MYTHREAD + 1) % THREADS).cells, n);
    }
    upc_lock(max_lock);
    if (own_max > rnmu)
        rnmu = own_max;
    upc_unlock(max_lock);
    upc_barrier;
    CHECK(rnmu == CELLS(LEVELS - 1) * THREADS);
    /* Border cells of all grids, read one by one. */
    for (thread = 0; thread < THREADS; thread++)
        for (level = 0; level < LEVELS; level++)
            CHECK(sh_u[level * THREADS + thread].arr[1] == thread * CELLS(level) + 1);
    upc_barrier;
    for (level = 0; level < LEVELS; level++) {
        upc_free(OF(sh_u, level, MYTHREAD).arr);
        upc_free(OF(sh_r, level, MYTHREAD).arr);
    }
    if (MYTHREAD == 0) {
        upc_free(whole);
        upc_lock_free(max_lock);
    }
    return finish();
}

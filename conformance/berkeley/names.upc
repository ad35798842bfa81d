// threads: 1 2 3
// Berkeley UPC's names with upc_ before them, for programs that ask for them; and its smaller functions.
#define BUPC_USE_UPC_NAMESPACE 1
#include <upc_relaxed.h>
#include <upc_nb.h>
#include <bupc_timers.h>
#include "check.h"

shared [8] int data[8 * THREADS];
shared long counter;

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, got[8] = {0};
    upc_handle_t handles[2];
    upc_smemvec_t from[1];
    upc_pmemvec_t to[1];
    upc_sem_t *sem = upc_sem_alloc(UPC_SEM_INTEGER | UPC_SEM_SPRODUCER);

    for (int i = 0; i < 8; i++)
        data[8 * MYTHREAD + i] = 10 * MYTHREAD + i;
    upc_barrier;
    handles[0] = upc_memget_fstrided_async(got, 4, 8, 2, (shared void *)&data[8 * next], 8, 8, 1);
    handles[1] = UPC_COMPLETE_HANDLE;
    while (!upc_trysync_some(handles, 2))
        upc_poll();
    upc_waitsync_all(handles, 2);
    CHECK_EQUAL(got[0], 10 * next);
    CHECK_EQUAL(got[2], 10 * next + 1);
    from[0] = (upc_smemvec_t){ (shared void *)&data[8 * next + 4], 8 };
    to[0] = (upc_pmemvec_t){ got + 4, 8 };
    upc_waitsync(upc_memget_vlist_async(1, to, 1, from));
    CHECK_EQUAL(got[5], 10 * next + 5);
    upc_memget_asynci(got, &data[8 * next], 4);
    upc_waitsynci();
    upc_sem_postN(sem, 2);
    upc_sem_waitN(sem, 2);
    upc_sem_free(sem);
    upc_atomicI64_fetchadd_relaxed(&counter, 3);
    upc_barrier;
    CHECK_EQUAL(upc_atomicI64_read_strict(&counter), 3 * THREADS);
    CHECK_EQUAL(upc_thread_distance(MYTHREAD, MYTHREAD), UPC_THREADS_SAME);
    /* The newer library is there under its own names. */
    upc_sync(upc_memget_nb(got, &data[8 * next + 2], 4));
    CHECK_EQUAL(got[0], 10 * next + 2);

    CHECK(bupc_tick_overheadus() >= 0 && bupc_tick_overheadus() < 1000);
    CHECK(bupc_tick_granularityus() > 0);
    CHECK(bupc_getenv("NO_SUCH_VARIABLE_AT_ALL") == NULL);
    char text[UPC_DUMP_MIN_LENGTH];
    CHECK_EQUAL(upc_dump_shared(&counter, text, sizeof text), 0);
    bupc_poll();
    finish();
    upc_barrier;
    bupc_exit(0);
}

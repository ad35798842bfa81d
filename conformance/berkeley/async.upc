// threads: 1 2 3 4 7
// bupc_memcpy_async and its family: handles waited for one by one, all, some; without handles; regions.
#include <upc.h>
#include "check.h"

#define N 8

shared [N] int data[N * THREADS], copy[N * THREADS], filled[N * THREADS];

int main(void)
{
    bupc_handle_t handles[3], handle = BUPC_COMPLETE_HANDLE;
    int own[N], got[N], i, next = (MYTHREAD + 1) % THREADS;

    bupc_waitsync(handle);
    CHECK(bupc_trysync(BUPC_COMPLETE_HANDLE));
    for (i = 0; i < N; i++)
        own[i] = 100 * MYTHREAD + i;
    bupc_waitsync(bupc_memput_async(&data[N * next], own, sizeof own));
    upc_barrier;
    handles[0] = bupc_memget_async(got, &data[N * MYTHREAD], sizeof got);
    handles[1] = bupc_memcpy_async(&copy[N * MYTHREAD], &data[N * next], N * sizeof(int));
    handles[2] = bupc_memset_async(&filled[N * next], 0x22, N * sizeof(int));
    while (!bupc_trysync(handles[0]))
        ;
    handles[0] = BUPC_COMPLETE_HANDLE;
    bupc_waitsync_all(handles, 3);
    for (i = 0; i < N; i++) {
        CHECK_EQUAL(got[i], 100 * ((MYTHREAD + THREADS - 1) % THREADS) + i);
        CHECK_EQUAL(copy[N * MYTHREAD + i], 100 * MYTHREAD + i);
        CHECK_EQUAL(filled[N * next + i], 0x22222222);
    }
    upc_barrier;
    for (i = 0; i < 3; i++)
        handles[i] = bupc_memget_async(&own[i], &copy[N * next + i], sizeof(int));
    bupc_waitsync_some(handles, 3);
    /* Those that are left may take their time. */
    while (!bupc_trysync_some(handles, 3))
        ;
    while (!bupc_trysync_all(handles, 3))
        ;
    upc_barrier;
    bupc_memput_asynci(&data[N * MYTHREAD], own, sizeof own);
    bupc_memset_asynci(&filled[N * MYTHREAD], 0, N * sizeof(int));
    bupc_waitsynci();
    upc_barrier;
    bupc_begin_accessregion();
    bupc_memget_asynci(got, &filled[N * next], sizeof got);
    bupc_memcpy_asynci(&copy[N * MYTHREAD], &data[N * MYTHREAD], N * sizeof(int));
    handle = bupc_end_accessregion();
    bupc_waitsync(handle);
    bupc_begin_nbi_accessregion();
    bupc_waitsync(bupc_end_nbi_accessregion());
    CHECK(bupc_trysynci());
    for (i = 0; i < N; i++) {
        CHECK_EQUAL(got[i], 0);
        CHECK_EQUAL(copy[N * MYTHREAD + i], i < 3 ? 100 * next + i : 100 * MYTHREAD + i);
    }
    return finish();
}

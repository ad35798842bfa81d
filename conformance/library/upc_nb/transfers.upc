// threads: 1 2 3 4 7
// Non-blocking copies: with handles that are waited for or asked about, and without.
#include <upc.h>
#include <upc_nb.h>
#include "check.h"

#ifndef __UPC_NB__
#error "__UPC_NB__ is not defined"
#endif
#define N 16

shared [N] int data[N * THREADS], copy[N * THREADS], filled[N * THREADS];

int main(void)
{
    upc_handle_t handles[4] = {UPC_COMPLETE_HANDLE}, handle;
    int own[N], got[N], i, next = (MYTHREAD + 1) % THREADS;

    CHECK(handles[0] == UPC_COMPLETE_HANDLE);
    upc_sync(UPC_COMPLETE_HANDLE);
    CHECK(upc_sync_attempt(UPC_COMPLETE_HANDLE));
    for (i = 0; i < N; i++)
        own[i] = 100 * MYTHREAD + i;
    handle = upc_memput_nb(&data[N * next], own, sizeof own);
    upc_sync(handle);
    upc_barrier;
    handles[0] = upc_memget_nb(got, &data[N * MYTHREAD], sizeof got);
    handles[1] = upc_memcpy_nb(&copy[N * MYTHREAD], &data[N * next], N * sizeof(int));
    handles[2] = upc_memset_nb(&filled[N * next], 0x11, N * sizeof(int));
    for (i = 0; i < 3; i++)
        while (!upc_sync_attempt(handles[i]))
            ;
    upc_barrier;
    for (i = 0; i < N; i++) {
        CHECK_EQUAL(got[i], 100 * ((MYTHREAD + THREADS - 1) % THREADS) + i);
        CHECK_EQUAL(copy[N * MYTHREAD + i], 100 * MYTHREAD + i);
        CHECK_EQUAL(filled[N * MYTHREAD + i], 0x11111111);
    }
    upc_barrier;
    upc_memput_nbi(&data[N * next], got, sizeof got);
    upc_memset_nbi(&filled[N * next], 0, N * sizeof(int));
    upc_synci();
    upc_barrier;
    upc_memcpy_nbi(&copy[N * MYTHREAD], &data[N * MYTHREAD], N * sizeof(int));
    upc_memget_nbi(own, &filled[N * next], sizeof own);
    while (!upc_synci_attempt())
        ;
    for (i = 0; i < N; i++) {
        CHECK_EQUAL(copy[N * MYTHREAD + i], 100 * ((MYTHREAD + 2 * THREADS - 2) % THREADS) + i);
        CHECK_EQUAL(own[i], 0);
    }
    return finish();
}

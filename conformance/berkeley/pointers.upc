// threads: 1 2 3 4 7
// What bupc_ functions say about pointers-to-shared and make of them.
#include <upc.h>
#include <bupc_extensions.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

shared [3] int data[3 * THREADS];
shared double cyclic[4 * THREADS];

int main(void)
{
    char text[BUPC_DUMP_MIN_LENGTH], expected[BUPC_DUMP_MIN_LENGTH];
    unsigned long address = 0, field = 0, phase = 0;
    int thread = -1, t, i;
    int private = 0;

    // In words.
    CHECK_EQUAL(bupc_dump_shared(&data[3 * MYTHREAD + 2], text, sizeof text), 0);
    CHECK_EQUAL(sscanf(text, "<address=%lx (addrfield=%lx), thread=%d, phase=%lu>", &address, &field, &thread, &phase), 4);
    sprintf(expected, "<address=0x%lx (addrfield=0x%lx), thread=%d, phase=%lu>", address, field, thread, phase);
    CHECK(strcmp(text, expected) == 0);
    CHECK_EQUAL(thread, MYTHREAD);
    CHECK_EQUAL(phase, 2);
    CHECK_EQUAL(field, upc_addrfield(&data[3 * MYTHREAD + 2]));
    CHECK(address == (unsigned long)(int *)&data[3 * MYTHREAD + 2]);
    CHECK_EQUAL(bupc_dump_shared(NULL, text, sizeof text), 0);
    CHECK(strcmp(text, "<NULL>") == 0);
    errno = 0;
    CHECK_EQUAL(bupc_dump_shared(data, text, BUPC_DUMP_MIN_LENGTH - 1), -1);
    CHECK_EQUAL(errno, EINVAL);

    // From and to plain pointers.
    data[3 * MYTHREAD + 1] = 70 + MYTHREAD;
    upc_barrier;
    for (t = 0; t < THREADS; t++) {
        CHECK_EQUAL(bupc_castable(&data[3 * t]), bupc_thread_castable(t));
        if (!bupc_thread_castable(t)) {
            // On another node.
            CHECK(t != MYTHREAD);
            CHECK(bupc_cast(&data[3 * t + 1]) == NULL);
            CHECK(bupc_thread_distance(MYTHREAD, t) >= BUPC_THREADS_FAR);
            continue;
        }
        CHECK_EQUAL(*(int *)bupc_cast(&data[3 * t + 1]), 70 + t);
        shared [3] int *back = bupc_inverse_cast(bupc_cast(&data[3 * t + 1]));
        CHECK(back == &data[3 * t + 1]);
        CHECK_EQUAL(upc_threadof(back), t);
        CHECK_EQUAL(upc_phaseof(back), 0);
        CHECK_EQUAL(bupc_thread_distance(MYTHREAD, t) == BUPC_THREADS_SAME, t == MYTHREAD);
        CHECK(bupc_thread_distance(MYTHREAD, t) < BUPC_THREADS_FAR);
    }
    CHECK(BUPC_THREADS_SAME < BUPC_THREADS_VERYNEAR && BUPC_THREADS_VERYNEAR < BUPC_THREADS_NEAR &&
          BUPC_THREADS_NEAR < BUPC_THREADS_FAR && BUPC_THREADS_FAR < BUPC_THREADS_VERYFAR);
    CHECK(!bupc_thread_castable(THREADS));
    CHECK(bupc_inverse_cast(&private) == NULL);
    CHECK(bupc_inverse_cast(NULL) == NULL);
    CHECK(bupc_cast(NULL) == NULL);
    shared [3] int *own = bupc_local_to_shared((int *)&data[3 * MYTHREAD + 2], MYTHREAD, 2);
    CHECK(own == &data[3 * MYTHREAD + 2]);
    CHECK_EQUAL(upc_phaseof(own), 2);
    CHECK(own + 1 == &data[3 * MYTHREAD + 3]);

    // Arithmetic with block sizes that are values.
    for (i = 0; i < 3 * THREADS; i++) {
        CHECK((shared [3] int *)bupc_ptradd(data, 3, sizeof(int), i) == &data[i]);
        CHECK((shared [3] int *)bupc_ptradd(&data[i], 3, sizeof(int), -i) == &data[0]);
        CHECK((shared double *)bupc_ptradd(&cyclic[1], 1, sizeof(double), i) == &cyclic[i + 1]);
    }
    CHECK((shared [] int *)bupc_ptradd(data, 0, sizeof(int), 2) == (shared [] int *)&data[2]);

    // Tracing does not exist, but can be asked for.
    bupc_trace_setmask("PGB");
    CHECK(strcmp(bupc_trace_getmask(), "") == 0);
    bupc_stats_setmask("PGB");
    CHECK(strcmp(bupc_stats_getmask(), "") == 0);
    bupc_trace_settracelocal(0);
    CHECK_EQUAL(bupc_trace_gettracelocal(), 0);
    bupc_trace_printf(("thread %d is here\n", MYTHREAD));
    return finish();
}

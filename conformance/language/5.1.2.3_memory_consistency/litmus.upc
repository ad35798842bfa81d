// threads: 1 2 3 4
// What the memory model forbids, with data and flags on any two threads: message passing by strict flags, by fences, by a
// lock; store buffering; coherence of one location; what a thread reads of its own writes; and that a loop on a relaxed flag
// comes to its end, also when the thread that sets it goes on computing.
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "check.h"

#define ROUNDS 40

static strict shared int flags[THREADS];
static shared int relaxed_flags[THREADS];
static shared int data[THREADS], more[THREADS * 300];
static strict shared int x[THREADS], y[THREADS];
static shared int seen_x[THREADS], seen_y[THREADS];
static upc_lock_t *lock;

// Thread 0 sends, the last thread receives; where data and flag are changes.
static void pass_by_strict_flag(void)
{
    for (int i = 1; i <= ROUNDS; i++) {
        int where = i % THREADS, flag = (i / THREADS) % THREADS;
        if (MYTHREAD == 0) {
            data[where] = i;
            more[(i * 7) % (THREADS * 300)] = i;
            flags[flag] = i;
        }
        if (MYTHREAD == THREADS - 1) {
            // Something old may be kept of these.
            int old = data[where] + more[(i * 7) % (THREADS * 300)];
            (void)old;
            while (flags[flag] != i)
                ;
            CHECK_EQUAL(data[where], i);
            CHECK_EQUAL(more[(i * 7) % (THREADS * 300)], i);
        }
        upc_barrier;
    }
}

static void pass_by_fence(void)
{
    for (int i = 1; i <= ROUNDS; i++) {
        int where = (i + 1) % THREADS, flag = i % THREADS;
        if (MYTHREAD == 0) {
            data[where] = -i;
            upc_fence;
            relaxed_flags[flag] = i;
        }
        if (MYTHREAD == THREADS - 1) {
            int old = data[where];
            (void)old;
            while (relaxed_flags[flag] != i)
                ;
            upc_fence;
            CHECK_EQUAL(data[where], -i);
        }
        upc_barrier;
    }
}

static void count_under_lock(void)
{
    static shared int count[THREADS];
    for (int i = 0; i < ROUNDS; i++) {
        upc_lock(lock);
        count[i % THREADS]++;
        upc_unlock(lock);
    }
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += count[i];
    CHECK_EQUAL(sum, ROUNDS * THREADS);
    upc_barrier;
}

// Both threads write and then read what the other one has written: one of them at least must see it.
static void store_buffering(void)
{
    for (int i = 1; i <= ROUNDS; i++) {
        int one = i % THREADS, other = (i / 2) % THREADS;
        if (MYTHREAD == 0) {
            x[one] = i;
            seen_y[0] = y[other];
        }
        if (MYTHREAD == THREADS - 1 && THREADS > 1) {
            y[other] = i;
            seen_x[THREADS - 1] = x[one];
        }
        upc_barrier;
        if (MYTHREAD == 0 && THREADS > 1)
            CHECK(seen_y[0] == i || seen_x[THREADS - 1] == i);
        upc_barrier;
        if (MYTHREAD == 0)
            x[one] = y[other] = 0;
        upc_barrier;
    }
}

// A location only grows: nobody sees it shrink, wherever it is.
static void coherence(void)
{
    static shared int growing[THREADS];
    for (int where = 0; where < THREADS; where++) {
        if (MYTHREAD == 0)
            for (int i = 1; i <= 2000; i++)
                growing[where] = i;
        else
            for (int i = 0, last = 0; i < 300; i++) {
                int now = growing[where];
                CHECK(now >= last);
                last = now;
                if (i % 50 == 49)
                    upc_fence;
            }
        upc_barrier;
        CHECK_EQUAL(growing[where], 2000);
        upc_barrier;
    }
}

// Own writes are read again, in any mixture of sizes and ways.
static void own_writes(void)
{
    static shared [] char *area;
    static shared [64] char of_all[64 * THREADS];
    int next = (MYTHREAD + 1) % THREADS;
    char bytes[64];
    area = (shared [] char *)&of_all[64 * next];
    for (int i = 0; i < ROUNDS; i++) {
        area[i] = (char)i;
        CHECK_EQUAL(area[i], i);
        *(shared [] int *)&area[8] = 0x01020304 * (i % 100);
        area[9] = 77;
        CHECK_EQUAL(*(shared [] int *)&area[8], ((0x01020304 * (i % 100)) & ~0xff00) | 77 << 8);
        upc_memget(bytes, area, sizeof bytes);
        CHECK_EQUAL(bytes[9], 77);
        bytes[20] = (char)(i + 1);
        upc_memput(area, bytes, sizeof bytes);
        CHECK_EQUAL(area[20], i + 1);
        area[20]++;
        upc_memset(&area[21], i, 3);
        CHECK_EQUAL(area[20], i + 2);
        CHECK_EQUAL(area[22], i);
    }
    upc_barrier;
    for (int i = 30; i < ROUNDS; i++)
        CHECK_EQUAL(of_all[64 * MYTHREAD + i], i);
    upc_barrier;
}

// An atomic operation changes what was read before, for the thread that makes it.
static void atomics_between_accesses(void)
{
    static shared int counters[THREADS];
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
    int next = (MYTHREAD + 1) % THREADS, one = 1;
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_EQUAL(counters[next], 2 * i);
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &counters[next], &one, NULL);
        CHECK_EQUAL(counters[next], 2 * i + 1);
        counters[next]++;
        int now;
        upc_atomic_relaxed(domain, &now, UPC_GET, &counters[next], NULL, NULL);
        CHECK_EQUAL(now, 2 * i + 2);
    }
    upc_barrier;
    upc_all_atomicdomain_free(domain);
}

static shared int go[THREADS];
static volatile double sum;

static void relaxed_flag(void)
{
    for (int where = 0; where < THREADS; where++) {
        if (MYTHREAD == 0) {
            go[where] = 1;
            // No call, no access to shared data: the flag must get there all the same.
            for (int i = 0; i < 20000000; i++)
                sum += i;
        } else {
            int looks = 0;
            while (go[where] == 0)
                looks++;
        }
        upc_barrier;
    }
}

int main(void)
{
    lock = upc_all_lock_alloc();
    pass_by_strict_flag();
    pass_by_fence();
    count_under_lock();
    store_buffering();
    coherence();
    own_writes();
    atomics_between_accesses();
    relaxed_flag();
    upc_all_lock_free(lock);
    return finish();
}

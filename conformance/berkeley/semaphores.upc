// threads: 1 2 3 4 7
// Semaphores: posts and waits by one and by many, boolean ones, data with a signal.
#include <upc.h>
#include <string.h>
#include "check.h"

#define ROUNDS 200
#define N 32

bupc_sem_t *shared full[THREADS];
bupc_sem_t *shared empty[THREADS];
bupc_sem_t *shared once[THREADS];
bupc_sem_t *shared pool;
shared [N] int inbox[N * THREADS];
shared int inside, most;
shared int passed[THREADS];

int main(void)
{
    int round, i, next = (MYTHREAD + 1) % THREADS, own[N];
    bupc_sem_t *sem;

    full[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    empty[MYTHREAD] = bupc_sem_alloc(0);
    once[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_MPRODUCER | BUPC_SEM_MCONSUMER);
    if (MYTHREAD == 0) {
        pool = bupc_sem_alloc(BUPC_SEM_INTEGER);
        bupc_sem_postN(pool, 2);
    }
    CHECK_EQUAL(upc_threadof(full[MYTHREAD]), MYTHREAD);
    CHECK_EQUAL(bupc_sem_try(full[MYTHREAD]), 0);
    upc_barrier;

    // A ring: each fills the next one's box when it is empty.
    bupc_sem_post(empty[MYTHREAD]);
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < N; i++)
            own[i] = 1000 * round + 10 * MYTHREAD + i;
        bupc_sem_wait(empty[next]);
        if (round % 2)
            bupc_memput_signal(&inbox[N * next], own, sizeof own, full[next], 3);
        else
            bupc_memput_signal_async(&inbox[N * next], own, sizeof own, full[next], 3);
        if (round % 3)
            bupc_sem_waitN(full[MYTHREAD], 3);
        else
            while (!bupc_sem_tryN(full[MYTHREAD], 3))
                bupc_poll();
        int before = (MYTHREAD + THREADS - 1) % THREADS;
        CHECK_EQUAL(inbox[N * MYTHREAD], 1000 * round + 10 * before);
        CHECK_EQUAL(inbox[N * MYTHREAD + N - 1], 1000 * round + 10 * before + N - 1);
        bupc_sem_post(empty[MYTHREAD]);
    }
    upc_barrier;
    CHECK_EQUAL(bupc_sem_try(full[MYTHREAD]), 0);

    // At most two at a time.
    for (round = 0; round < 20; round++) {
        bupc_sem_wait(pool);
        int now = bupc_atomicI_fetchadd_strict(&inside, 1) + 1;
        CHECK(now <= 2);
        if (now > most)
            most = now;
        bupc_atomicI_fetchadd_strict(&inside, -1);
        bupc_sem_post(pool);
    }
    upc_barrier;
    CHECK(most == 1 || most == 2);
    CHECK_EQUAL(inside, 0);

    // A boolean one counts to one, whoever posts.
    bupc_sem_post(once[next]);
    bupc_sem_post(once[next]);
    bupc_sem_postN(once[next], 5);
    bupc_sem_wait(once[MYTHREAD]);
    upc_barrier;
    while (bupc_sem_try(once[MYTHREAD]))
        passed[MYTHREAD]++;
    CHECK(passed[MYTHREAD] <= 1);
    sem = once[MYTHREAD];
    bupc_sem_post(sem);
    bupc_sem_post(sem);
    CHECK_EQUAL(bupc_sem_try(sem), 1);
    CHECK_EQUAL(bupc_sem_try(sem), 0);
    bupc_sem_postN(full[MYTHREAD], 5);
    CHECK_EQUAL(bupc_sem_tryN(full[MYTHREAD], 6), 0);
    CHECK_EQUAL(bupc_sem_tryN(full[MYTHREAD], 5), 1);
    upc_barrier;

    // One thread lets all the others go, who have had time to fall asleep.
    if (MYTHREAD == 0) {
        bupc_tick_t begin = bupc_ticks_now();

        while (bupc_ticks_to_us(bupc_ticks_now() - begin) < 2000)
            bupc_poll();
        bupc_sem_postN(pool, (size_t)THREADS - 1);
    } else {
        bupc_sem_waitN(pool, 1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        CHECK_EQUAL(bupc_sem_tryN(pool, 3), 0);
    upc_barrier;
    bupc_sem_free(full[next]);
    bupc_sem_free(empty[MYTHREAD]);
    bupc_sem_free(once[MYTHREAD]);
    bupc_sem_free(NULL);
    return finish();
}

/*
 * Waits for locks: threads that want the same lock at the same time form a chain, each waits for the release by the
 * one before it; some get the lock by upc_lock_attempt, and failed attempts are no ownership.
 */
#include <upc.h>
#include "truth.h"

/* One ownership of the lock, in the order in which the lock was had. */
struct hold {
    double request, release; /* before upc_lock, before upc_unlock */
    int owner, attempt;
};

static shared [] struct hold holds[2 * LIMIT];
static shared int next_hold;
static upc_lock_t *lock;

/* To be called by the owner: uses the lock, gives it back and notes down how it went. */
static void use_and_release(double request, int attempt, int milliseconds)
{
    struct hold hold = {request, 0, MYTHREAD, attempt};
    int number = next_hold++;

    sleep_ms(milliseconds);
    hold.release = now();
    upc_unlock(lock);
    holds[number] = hold;
}

/* All threads want the lock at once. */
static void chain(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        double request;

        sleep_ms(3 * MYTHREAD);
        request = now();
        upc_lock(lock);
        use_and_release(request, 0, 12);
        BARRIER;
    }
}

/* One thread has the lock by an attempt, the next waits for it, the others come when it is free or try in vain. */
static void attempts(void)
{
    int round;

    for (round = 0; round < ROUNDS; round++) {
        int first = round % THREADS, second = (round + 1) % THREADS;
        double request = now();

        if (MYTHREAD == first) {
            while (!upc_lock_attempt(lock))
                sleep_ms(1);
            use_and_release(request, 1, 40);
        } else if (MYTHREAD == second) {
            sleep_ms(15);
            request = now();
            upc_lock(lock);
            use_and_release(request, 0, 5);
        } else {
            sleep_ms(10);
            if (upc_lock_attempt(lock))
                use_and_release(request, 1, 0);
        }
        BARRIER;
    }
}

int main(void)
{
    double lost[THREADS];
    int i, thread;

    lock = upc_all_lock_alloc();
    BARRIER;
    chain();
    attempts();
    finish_barriers();
    if (MYTHREAD == 0) {
        for (thread = 0; thread < THREADS; thread++)
            lost[thread] = 0;
        for (i = 1; i < next_hold; i++)
            if (!holds[i].attempt)
                lost[holds[i].owner] += positive(holds[i - 1].release - holds[i].request);
        for (thread = 0; thread < THREADS; thread++)
            print_truth("lock_contention", thread, lost[thread]);
    }
    return 0;
}

/*
 * A shared work queue as one writes it first: a thread takes one number at a time, and adds the steps of each to the shared
 * sum.
 *
 *     pgastool compile -O2 -DCLASS=S -o queue naive.upc -lm       any number of threads, static or dynamic
 */
#include "numbers.h"

static shared long next_number = 1, all_steps; /* on thread 0; each with the lock that is named after it */
static upc_lock_t *next_number_lock, *all_steps_lock;

static void work(void)
{
    for (;;) {
        long number, value, steps = 0;

        upc_lock(next_number_lock);
        number = next_number;
        next_number = number + 1;
        upc_unlock(next_number_lock);
        if (number > LAST)
            return;

        for (value = number; value != 1; steps++)
            value = value % 2 == 0 ? value / 2 : 3 * value + 1;

        upc_lock(all_steps_lock);
        all_steps += steps;
        upc_unlock(all_steps_lock);
    }
}

int main(void)
{
    double start;

    next_number_lock = upc_all_lock_alloc();
    all_steps_lock = upc_all_lock_alloc();
    upc_barrier;

    start = npb_now();
    work();
    upc_barrier;
    return finish(all_steps, npb_now() - start);
}

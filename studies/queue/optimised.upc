/*
 * A shared work queue, after what the report of the naive version says: locks are taken less often. A thread takes PIECE
 * numbers at a time, and adds its steps to the shared sum once, at the end.
 *
 *     pgastool compile -O2 -DCLASS=S -o queue optimised.upc -lm   any number of threads, static or dynamic
 */
#include "numbers.h"

#define PIECE 1000

static shared long next_number = 1, all_steps; /* on thread 0; each with the lock that is named after it */
static upc_lock_t *next_number_lock, *all_steps_lock;

static void work(void)
{
    long steps = 0;

    for (;;) {
        long first, end, number, value;

        upc_lock(next_number_lock);
        first = next_number;
        next_number = first + PIECE;
        upc_unlock(next_number_lock);
        if (first > LAST)
            break;
        end = first + PIECE <= LAST ? first + PIECE : LAST + 1;

        for (number = first; number < end; number++)
            for (value = number; value != 1; steps++)
                value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    }
    upc_lock(all_steps_lock);
    all_steps += steps;
    upc_unlock(all_steps_lock);
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

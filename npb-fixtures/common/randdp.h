/*
 * The pseudo-random numbers of the NAS Parallel Benchmarks: the linear congruential generator
 * x(k+1) = 5^13 x(k) mod 2^46, numbers x / 2^46 (report RNR-94-007, section 2.3), in integer arithmetic: products
 * modulo 2^64 are exact modulo 2^46, so results are the same on every machine. Numbers come in batches, since a call
 * for each of them takes longer than the number itself.
 */
#ifndef RANDDP_H
#define RANDDP_H

#include <stddef.h>
#include <stdint.h>

#define RANDDP_MULTIPLIER UINT64_C(1220703125)
#define RANDDP_MASK ((UINT64_C(1) << 46) - 1)

/* The next `count` numbers, each in (0, 1); *state advances by as many steps. */
static inline void randdp_fill(double *numbers, size_t count, uint64_t *state)
{
    uint64_t x = *state;
    size_t i;

    for (i = 0; i < count; i++) {
        x = x * RANDDP_MULTIPLIER & RANDDP_MASK;
        numbers[i] = (double)x * 0x1p-46;
    }
    *state = x;
}

/* The state that is `steps` steps after `seed`, in O(log steps). */
static inline uint64_t randdp_skip(uint64_t seed, uint64_t steps)
{
    uint64_t state = seed & RANDDP_MASK, multiplier = RANDDP_MULTIPLIER;

    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            state = state * multiplier & RANDDP_MASK;
        multiplier = multiplier * multiplier & RANDDP_MASK;
    }
    return state;
}

#endif

/*
 * The generator in integer arithmetic. Products modulo 2^64 are exact modulo 2^46, so neither the splitting into
 * halves of the original Fortran nor floating point is needed, and the results are the same on every machine.
 */
#include "randdp.h"

/* The product of two states or multipliers; a macro, since a function call for each number is dear enough. */
#define PRODUCT(a, b) ((a) * (b) & STATE_MASK)
#define STATE_MASK ((UINT64_C(1) << 46) - 1)

double randdp_next(uint64_t *state, uint64_t multiplier)
{
    *state = PRODUCT(*state, multiplier);
    return (double)*state * 0x1p-46;
}

uint64_t randdp_skip(uint64_t seed, uint64_t multiplier, uint64_t steps)
{
    uint64_t state = seed & STATE_MASK;

    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            state = PRODUCT(state, multiplier);
        multiplier = PRODUCT(multiplier, multiplier);
    }
    return state;
}

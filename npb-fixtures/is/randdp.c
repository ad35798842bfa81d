/*
 * The generator in integer arithmetic. Products modulo 2^64 are exact modulo 2^46, so neither the splitting into
 * halves of the original Fortran nor floating point is needed, and the results are the same on every machine.
 */
#include "randdp.h"

#define STATE_MASK ((UINT64_C(1) << 46) - 1)

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return (a * b) & STATE_MASK;
}

double randdp_next(uint64_t *state, uint64_t multiplier)
{
    *state = multiply(*state, multiplier);
    return (double)*state * 0x1p-46;
}

uint64_t randdp_skip(uint64_t seed, uint64_t multiplier, uint64_t steps)
{
    uint64_t state = seed & STATE_MASK;

    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            state = multiply(state, multiplier);
        multiplier = multiply(multiplier, multiplier);
    }
    return state;
}

/*
 * The pseudo-random numbers of the NAS Parallel Benchmarks: the linear congruential generator
 * x(k+1) = 5^13 x(k) mod 2^46 (report RNR-94-007, section 2.3). State and multiplier are whole numbers below 2^46.
 */
#ifndef RANDDP_H
#define RANDDP_H

#include <stdint.h>

/* 5^13, the multiplier that all kernels use. */
#define RANDDP_MULTIPLIER UINT64_C(1220703125)

/* The next number, uniform in (0, 1); *state advances by one step. */
double randdp_next(uint64_t *state, uint64_t multiplier);

/* The state that is `steps` steps after `seed`, in O(log steps). */
uint64_t randdp_skip(uint64_t seed, uint64_t multiplier, uint64_t steps);

#endif

/*
 * Problem sizes of MG and the norms of the residual that they must give (NAS report RNR-94-007 and its later classes).
 * Class W is that of NPB 2: so many iterations that the residual is nothing but rounding errors.
 */
#ifndef MG_CLASS_H
#define MG_CLASS_H

#include "../common/npb.h"

#if NPB_CLASS == NPB_CLASS_S
#define SIZE_LOG2 5
#define ITERATIONS 4
#define EXPECTED_NORM 0.530770700573e-04
#elif NPB_CLASS == NPB_CLASS_W
#define SIZE_LOG2 6
#define ITERATIONS 40
#define LARGEST_NORM 1e-16
#elif NPB_CLASS == NPB_CLASS_A
#define SIZE_LOG2 8
#define ITERATIONS 4
#define EXPECTED_NORM 0.2433365309e-05
#else
#define SIZE_LOG2 8
#define ITERATIONS 20
#define EXPECTED_NORM 0.180056440132e-05
#endif

#define SIZE (1 << SIZE_LOG2)

/* The smoother's weights of a point itself, its 6 neighbours across faces and its 12 across edges. */
#if NPB_CLASS == NPB_CLASS_B
static const double smoother[3] = {-3.0 / 17, 1.0 / 33, -1.0 / 61};
#else
static const double smoother[3] = {-3.0 / 8, 1.0 / 32, -1.0 / 64};
#endif

#endif

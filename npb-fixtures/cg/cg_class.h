/* Problem sizes of CG and the eigenvalue estimates that they must give (NAS report RNR-94-007 and its later classes). */
#ifndef CG_CLASS_H
#define CG_CLASS_H

#include "../common/npb.h"

/* N: rows of the matrix. NONZEROS: of each random vector that the matrix is made of. */
#if NPB_CLASS == NPB_CLASS_S
#define N 1400
#define NONZEROS 7
#define ITERATIONS 15
#define SHIFT 10.0
#define EXPECTED_ZETA 8.5971775078648
#elif NPB_CLASS == NPB_CLASS_W
#define N 7000
#define NONZEROS 8
#define ITERATIONS 15
#define SHIFT 12.0
#define EXPECTED_ZETA 10.362595087124
#elif NPB_CLASS == NPB_CLASS_A
#define N 14000
#define NONZEROS 11
#define ITERATIONS 15
#define SHIFT 20.0
#define EXPECTED_ZETA 17.130235054029
#else
#define N 75000
#define NONZEROS 13
#define ITERATIONS 75
#define SHIFT 60.0
#define EXPECTED_ZETA 22.712745482631
#endif

#endif

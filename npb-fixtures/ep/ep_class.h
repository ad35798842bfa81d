/* Problem sizes of EP and the sums that each must give (NAS report RNR-94-007 and its later classes). */
#ifndef EP_CLASS_H
#define EP_CLASS_H

#include "../common/npb.h"

#if NPB_CLASS == NPB_CLASS_S
#define PAIRS_LOG2 24
#define EXPECTED_SUM_X -3.247834652034740e+03
#define EXPECTED_SUM_Y -6.958407078382297e+03
#elif NPB_CLASS == NPB_CLASS_W
#define PAIRS_LOG2 25
#define EXPECTED_SUM_X -2.863319731645753e+03
#define EXPECTED_SUM_Y -6.320053679109499e+03
#elif NPB_CLASS == NPB_CLASS_A
#define PAIRS_LOG2 28
#define EXPECTED_SUM_X -4.295875165629892e+03
#define EXPECTED_SUM_Y -1.580732573678431e+04
#else
#define PAIRS_LOG2 30
#define EXPECTED_SUM_X 4.033815542441498e+04
#define EXPECTED_SUM_Y -2.660669192809235e+04
#endif

#endif

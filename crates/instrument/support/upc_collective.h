/* Comes before the compiler's own header of this name in programs under measurement whose runtime does not report
 * collective operations: a call of one goes through the tool, with its place in the source. An operation that the compiler's
 * header makes a macro of is left alone. */
#include_next <upc_collective.h>

#if defined __UPC__ && !defined PGAS_COLLECTIVES_ARE_NOT_REPLACED && !defined PGAS_REPLACED_COLLECTIVES
#define PGAS_REPLACED_COLLECTIVES
#include "pgas_collectives.h"

/* Without the tool in the link there is nobody to report to. */
#define PGAS_COLLECTIVE(reporter, type, region, operation, ...)                                       \
  (reporter ? reporter(region, __FILE__, __LINE__, (type *)operation, __VA_ARGS__) : (operation)(__VA_ARGS__))
#define PGAS_RELOCALIZATION(region, operation, ...) \
  PGAS_COLLECTIVE(pgas_report_relocalization, pgas_relocalization, region, operation, __VA_ARGS__)
#define PGAS_COMPUTATION(x, region, operation, ...) \
  PGAS_COLLECTIVE(pgas_report_computation_##x, pgas_computation_##x, region, operation, __VA_ARGS__)

#ifndef upc_all_broadcast
#define upc_all_broadcast(...) PGAS_RELOCALIZATION(60, upc_all_broadcast, __VA_ARGS__)
#endif
#ifndef upc_all_scatter
#define upc_all_scatter(...) PGAS_RELOCALIZATION(61, upc_all_scatter, __VA_ARGS__)
#endif
#ifndef upc_all_gather
#define upc_all_gather(...) PGAS_RELOCALIZATION(62, upc_all_gather, __VA_ARGS__)
#endif
#ifndef upc_all_gather_all
#define upc_all_gather_all(...) PGAS_RELOCALIZATION(63, upc_all_gather_all, __VA_ARGS__)
#endif
#ifndef upc_all_exchange
#define upc_all_exchange(...) PGAS_RELOCALIZATION(64, upc_all_exchange, __VA_ARGS__)
#endif
#ifndef upc_all_permute
#define upc_all_permute(...) \
  PGAS_COLLECTIVE(pgas_report_permutation, pgas_permutation, 65, upc_all_permute, __VA_ARGS__)
#endif
#ifndef upc_all_reduceC
#define upc_all_reduceC(...) PGAS_COMPUTATION(C, 66, upc_all_reduceC, __VA_ARGS__)
#endif
#ifndef upc_all_reduceUC
#define upc_all_reduceUC(...) PGAS_COMPUTATION(UC, 66, upc_all_reduceUC, __VA_ARGS__)
#endif
#ifndef upc_all_reduceS
#define upc_all_reduceS(...) PGAS_COMPUTATION(S, 66, upc_all_reduceS, __VA_ARGS__)
#endif
#ifndef upc_all_reduceUS
#define upc_all_reduceUS(...) PGAS_COMPUTATION(US, 66, upc_all_reduceUS, __VA_ARGS__)
#endif
#ifndef upc_all_reduceI
#define upc_all_reduceI(...) PGAS_COMPUTATION(I, 66, upc_all_reduceI, __VA_ARGS__)
#endif
#ifndef upc_all_reduceUI
#define upc_all_reduceUI(...) PGAS_COMPUTATION(UI, 66, upc_all_reduceUI, __VA_ARGS__)
#endif
#ifndef upc_all_reduceL
#define upc_all_reduceL(...) PGAS_COMPUTATION(L, 66, upc_all_reduceL, __VA_ARGS__)
#endif
#ifndef upc_all_reduceUL
#define upc_all_reduceUL(...) PGAS_COMPUTATION(UL, 66, upc_all_reduceUL, __VA_ARGS__)
#endif
#ifndef upc_all_reduceF
#define upc_all_reduceF(...) PGAS_COMPUTATION(F, 66, upc_all_reduceF, __VA_ARGS__)
#endif
#ifndef upc_all_reduceD
#define upc_all_reduceD(...) PGAS_COMPUTATION(D, 66, upc_all_reduceD, __VA_ARGS__)
#endif
#ifndef upc_all_reduceLD
#define upc_all_reduceLD(...) PGAS_COMPUTATION(LD, 66, upc_all_reduceLD, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceC
#define upc_all_prefix_reduceC(...) PGAS_COMPUTATION(C, 67, upc_all_prefix_reduceC, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceUC
#define upc_all_prefix_reduceUC(...) PGAS_COMPUTATION(UC, 67, upc_all_prefix_reduceUC, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceS
#define upc_all_prefix_reduceS(...) PGAS_COMPUTATION(S, 67, upc_all_prefix_reduceS, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceUS
#define upc_all_prefix_reduceUS(...) PGAS_COMPUTATION(US, 67, upc_all_prefix_reduceUS, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceI
#define upc_all_prefix_reduceI(...) PGAS_COMPUTATION(I, 67, upc_all_prefix_reduceI, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceUI
#define upc_all_prefix_reduceUI(...) PGAS_COMPUTATION(UI, 67, upc_all_prefix_reduceUI, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceL
#define upc_all_prefix_reduceL(...) PGAS_COMPUTATION(L, 67, upc_all_prefix_reduceL, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceUL
#define upc_all_prefix_reduceUL(...) PGAS_COMPUTATION(UL, 67, upc_all_prefix_reduceUL, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceF
#define upc_all_prefix_reduceF(...) PGAS_COMPUTATION(F, 67, upc_all_prefix_reduceF, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceD
#define upc_all_prefix_reduceD(...) PGAS_COMPUTATION(D, 67, upc_all_prefix_reduceD, __VA_ARGS__)
#endif
#ifndef upc_all_prefix_reduceLD
#define upc_all_prefix_reduceLD(...) PGAS_COMPUTATION(LD, 67, upc_all_prefix_reduceLD, __VA_ARGS__)
#endif

#endif

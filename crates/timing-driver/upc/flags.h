/* The arguments `in` and `out` of collective operations: how they are synchronised at both ends. */
#ifndef PGAS_UPC_FLAGS_H
#define PGAS_UPC_FLAGS_H

#include <upc_collective.h>
#include "pgas_operation.h"

#define FLAG_ARGUMENTS "in=all|my|no out=all|my|no"
#define FLAG_HELP "; in, out: synchronisation at its begin and end"

static inline upc_flag_t flags_argument(const pgas_case *with) {
  static const upc_flag_t in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
  static const upc_flag_t out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
  return in[pgas_argument_choice(with, "in")] | out[pgas_argument_choice(with, "out")];
}

#endif

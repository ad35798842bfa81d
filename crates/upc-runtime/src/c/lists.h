/* Pieces of memory as programs list them: bupc_pmemvec_t and bupc_smemvec_t of bupc_async.h. */
#ifndef UPCR_LISTS_H
#define UPCR_LISTS_H

#include "runtime.h"

struct upcr_private_piece {
  void *addr;
  unsigned long bytes;
};
struct upcr_shared_piece {
  upcr_pts addr;
  unsigned long bytes;
};

#endif

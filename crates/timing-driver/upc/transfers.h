/* A block that thread 0 moves between its own memory and that of a partner. */
#ifndef PGAS_UPC_TRANSFERS_H
#define PGAS_UPC_TRANSFERS_H

#ifdef __UPC_NB__
#include <upc_nb.h>
#endif
#include "places.h"

#define TRANSFER_ARGUMENTS "partner=near|far|own|N"
#define TRANSFER_HELP "; partner: another thread, seen from thread 0"

enum transfer_kind { TRANSFER_GET, TRANSFER_PUT, TRANSFER_COPY, TRANSFER_SET };

/* The byte that TRANSFER_SET writes. */
#define TRANSFER_BYTE 0x5a

struct transfer {
  const pgas_case *with;
  enum transfer_kind kind;
  int partner;
  size_t bytes;
  struct places from; /* of both threads; a get or put has the private side there, too */
  struct places to;
#ifdef __UPC_NB__
  upc_handle_t handle; /* of a transfer that goes on */
#endif
};

void *pgas_upc_prepare_transfer(const pgas_case *with, enum transfer_kind kind);
int pgas_upc_check_transfer(void *state, long launch);
void pgas_upc_finish_transfer(void *state);

/* ---- Ends of the transfer of a launch ---- */

static inline shared[] char *far_source(const struct transfer *of, long launch) {
  return place_on(&of->from, of->partner, launch);
}
static inline shared[] char *far_target(const struct transfer *of, long launch) {
  return place_on(&of->to, of->partner, launch);
}
static inline shared[] char *near_source(const struct transfer *of, long launch) {
  return place_on(&of->from, 0, launch);
}
static inline char *private_source(const struct transfer *of, long launch) {
  return own_place(&of->from, launch);
}
static inline char *private_target(const struct transfer *of, long launch) {
  return own_place(&of->to, launch);
}

#endif

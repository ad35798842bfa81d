/* How the collectives begin and end; see collective.c. */
#ifndef UPCR_COLLECTIVE_H
#define UPCR_COLLECTIVE_H

#include "runtime.h"
#include "upcr_upc_types.h"

/* Instead of the number of a thread. */
#define UPCR_NOBODY (-1)
#define UPCR_ALL (-2)

/* Waits as the flags say; with MYSYNC for the thread whose data this one touches, UPCR_ALL, or
 * UPCR_NOBODY. */
UPCR_HIDDEN void upcr_collective_begin(enum upcr_kind kind, int flags, int touched);
/* With MYSYNC, the thread whose data the others touch waits for them; UPCR_ALL: every thread;
 * UPCR_NOBODY. */
UPCR_HIDDEN void upcr_collective_end(enum upcr_kind kind, int flags, int touched_by);

#ifdef UPCR_MPI
/* Begins a read of near or far memory; upcr_overlapping_end waits for all of them. Only for the
 * program's first pthread. */
UPCR_HIDDEN void upcr_overlapping_get(void *to, upcr_addr_t from, unsigned long n);
UPCR_HIDDEN void upcr_overlapping_end(void);
/* Brings the partial results of this node's threads in the current collective to the node of the
 * thread `root`, or to all (UPCR_ALL), where they appear as those of the threads there do. */
UPCR_HIDDEN void upcr_send_partials(int root);
/* Role of each thread in a broadcast over several nodes. */
UPCR_HIDDEN void upcr_share_broadcast(upcr_pts to, upcr_addr_t from, unsigned long bytes);
#endif

#endif

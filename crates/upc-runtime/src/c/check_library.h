/* The checks of the library's arguments (check_library.c), which each checked function begins with.
 */
#ifndef UPCR_CHECK_LIBRARY_H
#define UPCR_CHECK_LIBRARY_H

#include "check.h"
#include "upcr_upc_types.h"

UPCR_HIDDEN void upcr_check_barrier(const char *call, int named, int value, struct upcr_place at);
UPCR_HIDDEN void upcr_check_wait(struct upcr_place at);
UPCR_HIDDEN void upcr_check_all(const char *call, upcr_pts p, struct upcr_place at);
UPCR_HIDDEN void upcr_check_all_alloc(unsigned long blocks, unsigned long bytes,
                                      struct upcr_place at);
UPCR_HIDDEN void upcr_check_lock(upcr_pts l, const char *call, struct upcr_place at);
UPCR_HIDDEN void upcr_check_unlock(upcr_pts l, struct upcr_place at);
UPCR_HIDDEN void upcr_check_lock_free(upcr_pts l, const char *call, struct upcr_place at);
UPCR_HIDDEN void upcr_check_locked(upcr_pts l, struct upcr_place at);
/* Arguments that a call does not have are null. */
UPCR_HIDDEN void upcr_check_copy(const char *call, const upcr_pts *to, const upcr_pts *from,
                                 const void *private_side, unsigned long n, struct upcr_place at);
/* Blocks of `n` bytes of one side of a relocalization: on the pointer's thread alone, or on each
 * thread. */
struct upcr_side {
  int everywhere;
  int per_thread; /* one block for each thread, else one */
};
UPCR_HIDDEN void upcr_check_relocalization(const char *call, upcr_pts to, struct upcr_side to_side,
                                           upcr_pts from, struct upcr_side from_side,
                                           unsigned long n, int flags, const upcr_pts *permutation,
                                           struct upcr_place at);
UPCR_HIDDEN void upcr_check_computation(const char *call, upcr_pts to, upcr_pts from, int op,
                                        unsigned long n, unsigned long blk, const void *function,
                                        int flags, unsigned long size, int prefix,
                                        struct upcr_place at);

#endif

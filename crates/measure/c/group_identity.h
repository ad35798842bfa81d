/* Identities of groups of threads, which all members work out by themselves. */
#ifndef PGAS_GROUP_IDENTITY_H
#define PGAS_GROUP_IDENTITY_H

#include <stdint.h>

/* Takes the next number that makes a group what it is, in the order that it has on all members.
 * The mixing is the last step of MurmurHash3 (A. Appleby, public domain). */
static inline uint64_t identity_with(uint64_t identity, uint64_t number) {
  uint64_t mixed = identity * 31 + number + 1;
  mixed = (mixed ^ mixed >> 33) * UINT64_C(0xff51afd7ed558ccd);
  mixed = (mixed ^ mixed >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return mixed ^ mixed >> 33;
}

#endif

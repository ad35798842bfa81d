/* Messages between the PEs that time operations, through symmetric memory. */
#ifndef PGAS_TIMING_TRANSPORT_H
#define PGAS_TIMING_TRANSPORT_H

#include <shmem.h>

#include "pgas_timing.h"

/* Messages from one PE to another that may be under way at the same time. */
#define MESSAGES_UNDER_WAY 8

struct message {
  long number; /* written after the words: how many messages this makes from its sender */
  uint64_t words[PGAS_MESSAGE_WORDS];
};

struct mailboxes {
  struct message *arrived; /* symmetric: by sender and place */
  long *taken;             /* symmetric: by receiver, how many of this PE's messages it has taken */
  long *sent, *received;   /* by PE */
  char implementation[SHMEM_MAX_NAME_LEN];
};

/* Returns 0, or -1 if there is no memory. */
int pgas_transport_begin(struct mailboxes *boxes, pgas_transport *transport);
void pgas_transport_finish(struct mailboxes *boxes);

#endif

/* Messages between the processes that time operations, by MPI. */
#ifndef PGAS_TIMING_TRANSPORT_H
#define PGAS_TIMING_TRANSPORT_H

#include <mpi.h>

#include "pgas_timing.h"

/* Messages of one process that may be under way at the same time. */
#define MESSAGES_UNDER_WAY 64

#if MPI_VERSION >= 3
#define NAME_OF_LIBRARY MPI_MAX_LIBRARY_VERSION_STRING
#else
#define NAME_OF_LIBRARY 32
#endif

struct messages {
  MPI_Comm all; /* apart from the messages of operations */
  int next;     /* place of the next message to send */
  MPI_Request requests[MESSAGES_UNDER_WAY];
  uint64_t words[MESSAGES_UNDER_WAY][PGAS_MESSAGE_WORDS];
  char implementation[NAME_OF_LIBRARY];
};

void pgas_transport_begin(struct messages *messages, pgas_transport *transport);
void pgas_transport_finish(struct messages *messages);

#endif

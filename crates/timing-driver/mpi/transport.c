/* Transport over messages of MPI.
 *
 * A message is copied and sent without waiting for its receiver, so that processes may send to each
 * other at once. */
#include "transport.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Looks for a message before the core is offered to others: an answer of an exchange of clocks
   arrives earlier where its sender has a core. */
#define LOOKS_BEFORE_YIELDING 2000

static void wait_for(MPI_Request *request) {
  int is_done = 0;
  for (int looks = 0; !is_done; looks++) {
    MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
    if (!is_done && looks >= LOOKS_BEFORE_YIELDING) sched_yield();
  }
}

static void send_words(void *context, int to, const uint64_t *words, int count) {
  struct messages *messages = context;
  int place = messages->next;
  messages->next = (place + 1) % MESSAGES_UNDER_WAY;
  wait_for(&messages->requests[place]);
  memcpy(messages->words[place], words, (size_t)count * sizeof *words);
  MPI_Isend(messages->words[place], count, MPI_UINT64_T, to, 0, messages->all,
            &messages->requests[place]);
}

static void receive_words(void *context, int from, uint64_t *words, int count) {
  struct messages *messages = context;
  MPI_Request request;
  MPI_Irecv(words, count, MPI_UINT64_T, from, 0, messages->all, &request);
  wait_for(&request);
}

static void meet(void *context) {
  struct messages *messages = context;
  MPI_Barrier(messages->all);
}

static double seconds(void *context) {
  (void)context;
  return MPI_Wtime();
}

static void end(void *context, int status) {
  struct messages *messages = context;
  MPI_Abort(messages->all, status);
}

/* The first line of what the library says of itself. */
static void name_library(char *name) {
#if MPI_VERSION >= 3
  int length;
  MPI_Get_library_version(name, &length);
  name[strcspn(name, "\r\n")] = 0;
#else
  snprintf(name, NAME_OF_LIBRARY, "MPI %d.%d", MPI_VERSION, MPI_SUBVERSION);
#endif
}

/* Lowest rank of those that share memory. */
static int node_of(MPI_Comm all, int rank) {
#if MPI_VERSION >= 3
  MPI_Comm node;
  int lowest;
  MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, node);
  MPI_Comm_free(&node);
  return lowest;
#else
  (void)all, (void)rank;
  return 0;
#endif
}

void pgas_transport_begin(struct messages *messages, pgas_transport *transport) {
  MPI_Comm_dup(MPI_COMM_WORLD, &messages->all);
  messages->next = 0;
  for (int place = 0; place < MESSAGES_UNDER_WAY; place++)
    messages->requests[place] = MPI_REQUEST_NULL;
  name_library(messages->implementation);
  *transport = (pgas_transport){.context = messages,
                                .model = "MPI",
                                .implementation = messages->implementation,
                                .send = send_words,
                                .receive = receive_words,
                                .barrier = meet,
                                .clock = seconds,
                                .end = end};
  MPI_Comm_rank(messages->all, &transport->thread);
  MPI_Comm_size(messages->all, &transport->threads);
  transport->node = node_of(messages->all, transport->thread);
}

void pgas_transport_finish(struct messages *messages) {
  for (int place = 0; place < MESSAGES_UNDER_WAY; place++) wait_for(&messages->requests[place]);
  MPI_Comm_free(&messages->all);
}

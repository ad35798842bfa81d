/* Messages between two processes, and around the ring of all. */
#include <stdlib.h>

#include <mpi.h>

#include "arguments.h"
#include "families.h"
#include "layout.h"
#include "memory.h"
#include "state.h"

#define ARGUMENTS "partner=near|far|N back=no|yes " LAYOUT_ARGUMENTS

/* Messages that the buffer of MPI_Bsend holds. */
#define BUFFERED_MESSAGES 16

struct pair;

/* A way of sending. */
struct message_kind {
  void (*send)(struct pair *of, long launch); /* where it waits */
  enum { PLAIN, BUFFERED, PERSISTENT, EXCHANGE, REPLACEMENT } needs;
};

struct pair {
  const pgas_case *with;
  const struct message_kind *kind;
  int rank, to, from;
  int is_active; /* takes part */
  int is_back;   /* the partner answers with as long a message */
  struct layout layout;
  struct buffers send, receive;
  MPI_Request request;
  int is_posted;           /* the receive of a ready send */
  MPI_Request *persistent; /* sends, then receives, by buffer */
  void *attached;
  int attached_bytes, buffered;
  long *replaced; /* by buffer: messages that took the place of the one before */
};

#define WORLD MPI_COMM_WORLD
#define MESSAGE(memory, of) memory, (of)->layout.elements, (of)->layout.type
#define TO_NEXT(of, launch) MESSAGE(buffer_at(&(of)->send, launch), of), (of)->to, 0
#define OUTGOING(of, launch) TO_NEXT(of, launch), WORLD
#define INCOMING(of, launch) MESSAGE(buffer_at(&(of)->receive, launch), of), (of)->from, 0, WORLD

/* ---- Life of an operation ---- */

static int attach(struct pair *of) {
  int bytes;
  MPI_Pack_size(of->layout.elements, of->layout.type, WORLD, &bytes);
  double all = ((double)bytes + MPI_BSEND_OVERHEAD) * BUFFERED_MESSAGES;
  of->attached = all < 0x7fffffff ? malloc((size_t)all) : NULL;
  of->attached_bytes = (int)all;
  if (!of->attached) {
    pgas_complain(of->with, "there is no memory to buffer messages of %d bytes", bytes);
    return -1;
  }
  MPI_Buffer_attach(of->attached, of->attached_bytes);
  return 0;
}

static void fill(const struct pair *of) {
  for (int buffer = 0; buffer < of->send.count; buffer++) {
    struct pattern pattern = {of->rank, 0, buffer};
    pgas_layout_fill(&of->layout, buffer_at(&of->send, buffer), of->layout.elements, pattern);
  }
}

static int make_persistent(struct pair *of) {
  int count = of->send.count;
  of->persistent = calloc(2 * (size_t)count, sizeof *of->persistent);
  if (!of->persistent) {
    pgas_complain(of->with, "there is no memory for requests");
    return -1;
  }
  for (int buffer = 0; buffer < count; buffer++) {
    MPI_Send_init(OUTGOING(of, buffer), &of->persistent[buffer]);
    MPI_Recv_init(INCOMING(of, buffer), &of->persistent[count + buffer]);
  }
  return 0;
}

static int count_replaced(struct pair *of) {
  of->replaced = calloc((size_t)of->send.count, sizeof *of->replaced);
  if (of->replaced) return 0;
  pgas_complain(of->with, "there is no memory for counts of %d buffers", of->send.count);
  return -1;
}

static int make_buffers(struct pair *of) {
  size_t bytes = (size_t)of->layout.elements * of->layout.extent;
  if (!of->is_active) return 0;
  if (buffers_make(&of->send, of->with, of->with->buffers, bytes) ||
      buffers_make(&of->receive, of->with, of->with->buffers, bytes))
    return -1;
  if (bytes) fill(of);
  if (of->kind->needs == BUFFERED) return attach(of);
  if (of->kind->needs == REPLACEMENT) return count_replaced(of);
  return of->kind->needs == PERSISTENT ? make_persistent(of) : 0;
}

/* Everyone sends to the next rank. */
static void take_ring(struct pair *of) {
  int ranks = of->with->threads;
  of->to = (of->rank + 1) % ranks;
  of->from = (of->rank + ranks - 1) % ranks;
  of->is_active = of->is_back = 1;
}

static int exchanges(const struct pair *of) {
  return of->kind->needs == EXCHANGE || of->kind->needs == REPLACEMENT;
}

static int take_partner(struct pair *of) {
  int partner = partner_argument(of->with, "near", 1);
  of->is_active = of->rank == 0 || of->rank == partner;
  of->is_back = exchanges(of) || pgas_argument_choice(of->with, "back") == 1;
  of->to = of->from = of->rank ? 0 : partner;
  return partner < 0 ? -1 : 0;
}

static int make(struct pair *of) {
  const char *otherwise = exchanges(of) ? "ring" : "near";
  if (!strcmp(pgas_argument_text(of->with, "partner", otherwise), "ring")) take_ring(of);
  else if (take_partner(of)) return -1;
  return pgas_layout_make(&of->layout, of->with) || make_buffers(of) ? -1 : 0;
}

static void release(void *state) {
  struct pair *of = state;
  buffers_free(&of->send);
  buffers_free(&of->receive);
  free(of->persistent);
  free(of->replaced);
  free(of->attached);
  free(of);
}

static void *prepare(const pgas_case *with, const struct message_kind *kind) {
  struct pair *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of =
      (struct pair){.with = with, .kind = kind, .rank = with->thread, .request = MPI_REQUEST_NULL};
  return state_unless(make(of), of, release);
}

/* Waits for the messages in the buffer. */
static void detach(struct pair *of) {
  void *memory;
  int bytes;
  MPI_Buffer_detach(&memory, &bytes);
  of->buffered = 0;
}

static void finish(void *state) {
  struct pair *of = state;
  for (int i = 0; of->persistent && i < 2 * of->send.count; i++)
    MPI_Request_free(&of->persistent[i]);
  if (of->attached) detach(of);
  pgas_layout_free(&of->layout);
  release(of);
}

static int compare(const struct pair *of, const char *message, int source, int buffer) {
  struct pattern right = {source, 0, buffer};
  long place = pgas_layout_differs(&of->layout, message, of->layout.elements, right);
  if (place < 0) return 0;
  pgas_complain(of->with, "rank %d: byte %ld, from rank %d, is wrong", of->rank, place, source);
  return -1;
}

/* Rank 0 receives only if its message comes back, or if all exchange theirs. */
static int check(void *state, long launch) {
  const struct pair *of = state;
  if (!of->is_active || (!of->rank && !of->is_back)) return 0;
  int buffer = buffer_of(&of->receive, launch);
  return compare(of, buffer_at(&of->receive, launch), of->from, buffer);
}

/* A message moves on by one rank with each launch of its buffer. */
static int check_replaced(void *state, long launch) {
  const struct pair *of = state;
  if (!of->is_active) return 0;
  int buffer = buffer_of(&of->send, launch), ranks = of->with->threads, source;
  long moved = of->replaced[buffer];
  if (of->from == of->to) source = moved % 2 ? of->from : of->rank;
  else source = (int)((of->rank + ranks - moved % ranks) % ranks);
  return compare(of, buffer_at(&of->send, launch), source, buffer);
}

/* ---- Sends that wait ---- */

static void receive(struct pair *of, long launch) {
  MPI_Recv(INCOMING(of, launch), MPI_STATUS_IGNORE);
}

static void run(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active) return;
  if (of->rank) receive(of, launch);
  if (!of->rank || of->is_back) of->kind->send(of, launch);
  if (!of->rank && of->is_back) receive(of, launch);
}

static void send_standard(struct pair *of, long launch) { MPI_Send(OUTGOING(of, launch)); }

static void send_synchronous(struct pair *of, long launch) { MPI_Ssend(OUTGOING(of, launch)); }

static void send_buffered(struct pair *of, long launch) {
  if (of->buffered == BUFFERED_MESSAGES) {
    detach(of);
    MPI_Buffer_attach(of->attached, of->attached_bytes);
  }
  of->buffered++;
  MPI_Bsend(OUTGOING(of, launch));
}

/* ---- Ready send: the receive is posted before, and the sender knows it ---- */

static void send_ready(struct pair *of, long launch) { MPI_Rsend(OUTGOING(of, launch)); }

static void post(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active || of->is_posted) return;
  if (of->rank || of->is_back) MPI_Irecv(INCOMING(of, launch), &of->request);
  MPI_Sendrecv(NULL, 0, MPI_BYTE, of->to, 1, NULL, 0, MPI_BYTE, of->from, 1, WORLD,
               MPI_STATUS_IGNORE);
  of->is_posted = 1;
}

static void run_ready(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active) return;
  post(state, launch); /* if nobody did */
  if (of->rank) MPI_Wait(&of->request, MPI_STATUS_IGNORE);
  if (!of->rank || of->is_back) of->kind->send(of, launch);
  if (!of->rank && of->is_back) MPI_Wait(&of->request, MPI_STATUS_IGNORE);
  of->is_posted = 0;
}

/* ---- Sends that do not wait ---- */

static void begin(struct pair *of, long launch, int is_sender) {
  if (is_sender) MPI_Isend(OUTGOING(of, launch), &of->request);
  else MPI_Irecv(INCOMING(of, launch), &of->request);
}

static void start_nonblocking(void *state, long launch) {
  struct pair *of = state;
  if (of->is_active) begin(of, launch, !of->rank);
}

static void complete_nonblocking(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active) return;
  MPI_Wait(&of->request, MPI_STATUS_IGNORE);
  if (!of->is_back) return;
  begin(of, launch, of->rank);
  MPI_Wait(&of->request, MPI_STATUS_IGNORE);
}

static void run_nonblocking(void *state, long launch) {
  start_nonblocking(state, launch);
  complete_nonblocking(state, launch);
}

/* ---- Persistent requests ---- */

static MPI_Request *request_of(struct pair *of, long launch, int is_sender) {
  int place = buffer_of(&of->send, launch);
  return &of->persistent[is_sender ? place : of->send.count + place];
}

static void start_persistent(void *state, long launch) {
  struct pair *of = state;
  if (of->is_active) MPI_Start(request_of(of, launch, !of->rank));
}

static void complete_persistent(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active) return;
  MPI_Wait(request_of(of, launch, !of->rank), MPI_STATUS_IGNORE);
  if (!of->is_back) return;
  MPI_Start(request_of(of, launch, of->rank));
  MPI_Wait(request_of(of, launch, of->rank), MPI_STATUS_IGNORE);
}

static void run_persistent(void *state, long launch) {
  start_persistent(state, launch);
  complete_persistent(state, launch);
}

/* ---- Exchange ---- */

static void run_exchange(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active) return;
  MPI_Sendrecv(TO_NEXT(of, launch), INCOMING(of, launch), MPI_STATUS_IGNORE);
}

static void run_replacement(void *state, long launch) {
  struct pair *of = state;
  if (!of->is_active) return;
  MPI_Sendrecv_replace(TO_NEXT(of, launch), of->from, 0, WORLD, MPI_STATUS_IGNORE);
  of->replaced[buffer_of(&of->send, launch)]++;
}

/* ---- Operations ---- */

#define MESSAGES(function, how, need, verify, describe, words, ...)          \
  static const struct message_kind kind_##function = {how, need};            \
  static void *prepare_##function(const pgas_case *with) {                   \
    return prepare(with, &kind_##function);                                  \
  }                                                                          \
  static const pgas_operation function = {.name = "MPI_" #function,          \
                                          .help = describe "; " LAYOUT_HELP, \
                                          .arguments = words,                \
                                          .sized = 1,                        \
                                          .prepare = prepare_##function,     \
                                          .check = verify,                   \
                                          .finish = finish,                  \
                                          __VA_ARGS__};

#define EXCHANGE_ARGUMENTS "partner=ring|near|far|N " LAYOUT_ARGUMENTS
#define TRIP " from rank 0 to the partner, and back if asked for"

MESSAGES(Send, send_standard, PLAIN, check, "a message" TRIP, ARGUMENTS, .run = run)
MESSAGES(Ssend, send_synchronous, PLAIN, check, "a message" TRIP ", received before the send ends",
         ARGUMENTS, .run = run)
MESSAGES(Bsend, send_buffered, BUFFERED, check, "a message" TRIP ", buffered by the sender",
         ARGUMENTS, .run = run)
MESSAGES(Rsend, send_ready, PLAIN, check, "a message" TRIP ", to receives that are posted before",
         ARGUMENTS, .ready = post, .run = run_ready)
MESSAGES(Isend, NULL, PLAIN, check, "a message" TRIP ", without waiting", ARGUMENTS,
         .run = run_nonblocking, .start = start_nonblocking, .complete = complete_nonblocking)
MESSAGES(Start, NULL, PERSISTENT, check, "a message" TRIP ", by persistent requests", ARGUMENTS,
         .run = run_persistent, .start = start_persistent, .complete = complete_persistent)
MESSAGES(Sendrecv, NULL, EXCHANGE, check,
         "a message to the next rank of the ring of all, or of two ranks", EXCHANGE_ARGUMENTS,
         .run = run_exchange)
MESSAGES(Sendrecv_replace, NULL, REPLACEMENT, check_replaced,
         "a message to the next rank of the ring of all, or of two ranks, in one buffer",
         EXCHANGE_ARGUMENTS, .run = run_replacement)

const pgas_operation *const pgas_mpi_messages[] = {
    &Send, &Ssend, &Bsend, &Rsend, &Isend, &Start, &Sendrecv, &Sendrecv_replace, NULL,
};

/* Messages through shared memory: each pair of threads has a mailbox for one message, in the memory
   of the receiver. The sender writes the words and then, strictly, the number of the message; the
   receiver answers with the same number in the memory of the sender, which may then write the next
   message. So each thread looks at its own memory only while it waits. */
#include <upc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __UPC_TICK__
#include <upc_tick.h>
#endif
#ifdef __UPC_CASTABLE__
#include <upc_castable.h>
#endif
#include "implementation.h"
#include "transport.h"

/* Looks at a number before others may have the core: where each thread has one, a thread that gives
   it away comes back late; otherwise the one that it waits for needs it. */
#define LOOKS_ALONE 1000000
#define LOOKS_SHARED 200
/* Distance of two numbers, so that they are not in one cache line. */
#define APART 16

struct mailbox {
  uint64_t sent[APART]; /* number of the message that is in it */
  uint64_t words[PGAS_MESSAGE_WORDS];
};

/* Where the others find a thread's mailboxes, one for each sender, and the numbers of its messages
   that receivers have taken. */
struct post {
  shared[] struct mailbox *mailboxes;
  shared[] uint64_t *taken;
};

static shared struct post posts[THREADS];

struct transport {
  struct post *posts; /* of all threads */
  uint64_t *sent;     /* messages to each thread */
  uint64_t *received; /* messages from each thread */
  int looks;
  int is_between;
#ifdef __UPC_TICK__
  upc_tick_t begin;
#endif
};

/* Each UPC thread has its own, as the language says of all private data. */
static struct transport own;

static void wait_for(strict shared[] uint64_t *number, uint64_t expected) {
  int looks = 0;
  while (*number != expected) {
    if (++looks > own.looks) sched_yield();
  }
}

static void send_words(void *context, int to, const uint64_t *words, int count) {
  struct transport *with = context;
  shared[] struct mailbox *box = with->posts[to].mailboxes + MYTHREAD;
  wait_for((strict shared[] uint64_t *)with->posts[MYTHREAD].taken + (size_t)to * APART,
           with->sent[to]);
  upc_memput(box->words, words, (size_t)count * sizeof *words);
  *(strict shared[] uint64_t *)box->sent = ++with->sent[to];
}

static void receive_words(void *context, int from, uint64_t *words, int count) {
  struct transport *with = context;
  shared[] struct mailbox *box = with->posts[MYTHREAD].mailboxes + from;
  uint64_t number = ++with->received[from];
  wait_for((strict shared[] uint64_t *)box->sent, number);
  upc_memget(words, box->words, (size_t)count * sizeof *words);
  ((strict shared[] uint64_t *)with->posts[from].taken)[(size_t)MYTHREAD * APART] = number;
}

/* In step s each thread tells the one 2^s further that it and 2^s - 1 before it have come. */
static void barrier_of_messages(void *context) {
  for (int step = 1; step < THREADS; step *= 2) {
    uint64_t word = 1;
    send_words(context, (MYTHREAD + step) % THREADS, &word, 1);
    receive_words(context, (MYTHREAD - step % THREADS + THREADS) % THREADS, &word, 1);
  }
}

static void barrier(void *context) {
  struct transport *with = context;
  if (with->is_between) barrier_of_messages(context);
  else upc_barrier;
}

static void end(void *context, int status) {
  (void)context;
  fflush(NULL);
  upc_global_exit(status);
}

#ifdef __UPC_TICK__
static double read_clock(void *context) {
  struct transport *with = context;
  return (double)upc_ticks_to_ns(upc_ticks_now() - with->begin) * 1e-9;
}
#endif

/* Threads whose memory this thread can address are on its node, as the embedded compiler has it;
   other compilers have threads without it also on one node. */
static int node(void) {
#if defined(__UPC_CASTABLE__) && defined(PGAS_EMBEDDED_UPC)
  for (int thread = 0; thread < MYTHREAD; thread++)
    if (upc_thread_info(thread).guaranteedCastable) return thread;
  return MYTHREAD;
#else
  return 0;
#endif
}

static void *zeroed(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory != NULL) return memory;
  fprintf(stderr, "there is no memory for the messages of %d threads\n", THREADS);
  upc_global_exit(1);
  return NULL;
}

static void open_mailboxes(void) {
  posts[MYTHREAD].mailboxes = upc_alloc(THREADS * sizeof(struct mailbox));
  posts[MYTHREAD].taken = upc_alloc(THREADS * APART * sizeof(uint64_t));
  upc_memset(posts[MYTHREAD].mailboxes, 0, THREADS * sizeof(struct mailbox));
  upc_memset(posts[MYTHREAD].taken, 0, THREADS * APART * sizeof(uint64_t));
  upc_barrier;
  own.posts = zeroed(THREADS, sizeof *own.posts);
  own.sent = zeroed(THREADS, sizeof *own.sent);
  own.received = zeroed(THREADS, sizeof *own.received);
  for (int thread = 0; thread < THREADS; thread++) own.posts[thread] = posts[thread];
}

void pgas_upc_open(pgas_transport *through) {
  own.looks = THREADS <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS_ALONE : LOOKS_SHARED;
  open_mailboxes();
  *through = (pgas_transport){.context = &own,
                              .thread = MYTHREAD,
                              .threads = THREADS,
                              .node = node(),
                              .model = "UPC",
                              .implementation = PGAS_UPC_IMPLEMENTATION,
                              .send = send_words,
                              .receive = receive_words,
                              .barrier = barrier,
                              .end = end};
#ifdef __UPC_TICK__
  own.begin = upc_ticks_now();
  through->clock = read_clock;
#endif
}

void pgas_upc_is_between(int is_between) { own.is_between = is_between; }

/* The thread of each process that answers messages while the program computes. It sleeps until
 * somebody rings, and takes no time that the program could use unless there is something to do. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"

/* How long to sleep when nobody rings: with and without something that this process waits for. */
#define WAITING_MS 2
#define IDLE_MS 20
/* Between two looks for data that is under way. */
#define UNDER_WAY_NS 20000
/* How long to look on after a message: while the program waits, its core is idle, and the next
 * message finds us awake; while it computes, the core is the program's. */
#define PATIENCE_NS 100000u
#define LOOKS 3
#define SHORT_TURN_NS 100000u
#define HIGHER 10

static int is_ending;
static __thread int is_progress_thread;

/* Where processes share cores, a thread that looks around takes time from those that it waits for:
 * it is woken sooner than it gets its turn. */
static int is_core_idle(void) { return upcr_spins != 0 && atomic_load(&upcr_sleepers) != 0; }

static void answer(void) {
  uint64_t end = 0;
  int looks = 0;
  for (;;) {
    /* Others need not ring as long as this goes on. */
    upcr_waiting = is_core_idle();
    if (upcr_network_poll()) {
      looks = 0;
      end = upcr_now_ns() + PATIENCE_NS;
    } else if (upcr_network_is_busy()) {
      struct timespec moment = {0, UNDER_WAY_NS};
      if (!is_core_idle()) nanosleep(&moment, NULL);
    } else if (++looks > LOOKS && (!is_core_idle() || upcr_now_ns() > end)) {
      break;
    }
  }
  upcr_waiting = 0;
}

static void go_round(void) {
  int soon = atomic_load(&upcr_sleepers) != 0 || is_ending;
  upcr_await_ring(soon ? WAITING_MS : IDLE_MS);
  answer();
  /* The program's pthread may have left in the middle of a write. */
  if (!is_ending) upcr_cache_grow_old();
  is_ending = upcr_tend_ending();
}

/* Where the program computes on the same core, others wait until this thread gets its turn. Kernels
 * from 6.12 on let one that asks for short ones take the core from one with longer ones, unless it
 * has had more than its share; a user who may raise priorities gets that, too. */
static void ask_for_short_turns(void) {
#ifdef SYS_sched_setattr
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } wish = {.size = sizeof wish, .runtime = SHORT_TURN_NS};
  int own = getpriority(PRIO_PROCESS, 0);
  for (wish.nice = own - HIGHER; wish.nice <= own; wish.nice += HIGHER)
    if (syscall(SYS_sched_setattr, 0, &wish, 0) == 0) return;
  /* Older kernels know no such wish for ordinary threads, and leave everything as it is. */
#endif
}

static void *run(void *unused) {
  is_progress_thread = 1;
  ask_for_short_turns();
  for (;;) go_round();
  return unused;
}

int upcr_is_progress_thread(void) { return is_progress_thread; }

void upcr_progress_until_end(void) {
  for (;;) go_round();
}

void upcr_progress_start(void) {
  /* Signals are for the program. */
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&thread, NULL, run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0)
    upcr_fatal("thread %d: cannot start the thread that answers others: %s; the limit of processes "
               "(ulimit -u) may be too small",
               upcr_mythread, strerror(error));
}

/* How a program over several nodes ends when it does not end in order: one process tells all
 * others, and the progress thread of each has its process leave. Those that have something to
 * write, as a tool has, get time for it: no process is gone before all have left, since launchers
 * kill the rest as soon as one is missing. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "network.h"

/* How long a process may take to begin to leave, and to have left. */
#define BEGIN_NS 2000000000ul
#define LEAVE_NS 15000000000ul
#define SIGNALLED_NS 3000000000ul
/* Between two signals to one that has not begun. */
#define URGE_NS 1000000ul
/* How long a crashed process waits for its report, and ending MPI may take. */
#define REPORT_NS 4000000000ul
#define FINISH_NS 3000000000ul

static _Atomic int is_reported; /* the crash of this process */
static _Atomic int all_have_left;
static _Atomic int is_finishing;
static _Atomic int last_status; /* of this process, once it is finishing */
static _Atomic int is_stuck;    /* the program's own pthread, which cannot leave */
static int left;                /* processes, on thread 0 */

static struct upcr_thread *own(void) { return &upcr_control->threads[upcr_mythread]; }

void upcr_wake_supervisor(void) { upcr_ring_self(); }

int upcr_must_not_leave(void) { return upcr_guards_held != 0; }

void upcr_leave_network(void) {
  upcr_network_abandon();
  if (!upcr_is_progress_thread()) return;
  /* The program's own pthread has to leave. */
  atomic_store(&own()->leaving, 0);
  upcr_progress_until_end();
}

/* For messages that fork (crash_report.c): nothing was changed for this process. */
void upcr_supervise_forked(void) {}

static void moment(void) {
  struct timespec t = {0, 1000000};
  nanosleep(&t, NULL);
}

/* ---- All hear of it ---- */

static void to_all(enum upcr_message_kind kind, uint64_t word) {
  struct upcr_message message = {.kind = (uint16_t)kind, .word = {word}};
  upcr_network_enter();
  for (int t = 0; t < upcr_threads; t++)
    if (t != upcr_mythread) {
      upcr_send(t, &message, NULL, 0);
      upcr_ring(t);
    }
  upcr_network_leave();
}

void upcr_handle_end(int from, const struct upcr_message *message) {
  (void)from;
  atomic_store(&upcr_control->is_end_spread, 1);
  upcr_note_end((int)message->word[0]);
  upcr_ring_self();
}

static void one_has_left(void) {
  if (++left == upcr_threads) {
    struct upcr_message message = {.kind = UPCR_LEFT};
    for (int t = 1; t < upcr_threads; t++) upcr_send(t, &message, NULL, 0);
    atomic_store(&all_have_left, 1);
  }
}

void upcr_handle_left(int from, const struct upcr_message *message) {
  (void)from;
  (void)message;
  if (upcr_mythread == 0) one_has_left();
  else atomic_store(&all_have_left, 1);
}

/* Inside the network, which it leaves. */
static void say_and_leave(void) {
  struct upcr_message message = {.kind = UPCR_LEFT};
  if (upcr_mythread == 0) one_has_left();
  else upcr_send(0, &message, NULL, 0);
  upcr_network_leave();
}

static void say_that_we_left(void) {
  upcr_network_enter();
  say_and_leave();
}

/* ---- The progress thread ---- */

static void report_crash(const struct upcr_crash *crash) {
  if (upcr_note_end(128 + crash->signal)) {
    char how[800];
    upcr_describe_crash(how, sizeof how, crash);
    upcr_say("thread %d was ended by signal %d (%s)%s", upcr_mythread, crash->signal,
             strsignal(crash->signal), how);
  }
}

void upcr_end_from_progress_thread(void) {
  atomic_store(&is_stuck, 1);
  upcr_ring_self();
  for (;;) pause();
}

/* MPI is ended, so that the launcher does not take this for a failure. It may hang, as MPICH does
 * over UCX and TCP where one process closes its connections while another one waits for it: then
 * the progress thread ends the process, from which nobody wants anything any more. */
static void finish_mpi(int status) {
  atomic_store(&last_status, status);
  atomic_store(&is_finishing, 1);
  upcr_network_finish();
  upcr_ring_self();
  upcr_transport_finish();
}

static void leave_without_program(void) {
  static uint64_t since;
  static int is_said;
  uint64_t now = upcr_now_ns();
  if (since == 0) since = now;
  /* The program's pthread may hang inside. */
  if (!is_said && upcr_network_try()) {
    say_and_leave();
    is_said = 1;
  }
  int status = atomic_load(&upcr_control->status);
  int in_order = atomic_load(&all_have_left);
  if (in_order && status < 128 && !upcr_network_is_busy()) {
    upcr_network_finish();
    upcr_transport_finish();
    _exit(status);
  }
  if (in_order || now - since > LEAVE_NS) _exit(status);
}

/* Has the program's own pthread leave, or notes that it does not. */
static void urge(void) {
  static uint64_t since, latest;
  static int attempts;
  uint64_t now = upcr_now_ns();
  if (since == 0) since = now;
  int leaving = atomic_load(&own()->leaving);
  if (now - since > (leaving ? LEAVE_NS : BEGIN_NS)) {
    upcr_write_printed();
    atomic_store(&is_stuck, 1);
  }
  /* Messages and rings of others wake this thread more often. */
  if (leaving || now - latest < URGE_NS) return;
  latest = now;
  sigqueue(getpid(), UPCR_END_SIGNAL, (union sigval){.sival_int = attempts++});
}

int upcr_tend_ending(void) {
  if (upcr_control == NULL) return 0;
  static uint64_t finish;
  if (atomic_load(&is_finishing)) {
    if (finish == 0) finish = upcr_now_ns() + FINISH_NS;
    if (upcr_now_ns() > finish) _exit(atomic_load(&last_status));
    return 1;
  }
  const struct upcr_crash *crash = &own()->crash;
  int has_crashed = atomic_load(&crash->complete);
  if (has_crashed && !atomic_load(&is_reported)) report_crash(crash);
  if (atomic_load(&upcr_control->ending) != 2) return 0;
  if (atomic_exchange(&upcr_control->is_end_spread, 1) == 0)
    to_all(UPCR_END, (uint64_t)atomic_load(&upcr_control->status));
  if (has_crashed) {
    if (!atomic_exchange(&is_reported, 1)) say_that_we_left();
  } else if (atomic_load(&is_stuck)) {
    leave_without_program();
  } else {
    urge();
  }
  return 1;
}

/* ---- Leaving ---- */

void upcr_await_crash_report(void) {
  if (upcr_is_progress_thread() || upcr_network_is_inside()) return;
  upcr_ring_self();
  uint64_t end = upcr_now_ns() + REPORT_NS;
  while (!atomic_load(&all_have_left) && upcr_now_ns() < end) moment();
}

void upcr_end_process(int status, void *unused) {
  (void)unused;
  static int is_ended;
  if (upcr_control == NULL || getpid() != own()->process || is_ended) return;
  is_ended = 1;
  if (atomic_load(&own()->passed_end)) {
    upcr_collector_dismiss();
    fflush(NULL);
    finish_mpi(status);
    return;
  }
  status = atomic_load(&upcr_control->status);
  say_that_we_left();
  /* After a signal, others may be gone already. */
  uint64_t end = upcr_now_ns() + (status >= 128 ? SIGNALLED_NS : LEAVE_NS);
  while (!atomic_load(&all_have_left) && upcr_now_ns() < end) moment();
  fflush(NULL);
  /* Of a signal or a crash, the launcher hears all the same. */
  if (!atomic_load(&all_have_left) || status >= 128) _exit(status);
  finish_mpi(status);
  _exit(status);
}

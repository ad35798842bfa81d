/* The ways out of a program: all threads together through a final barrier, or at once. Whichever it
 * is, nothing that a thread has printed may be lost, and a performance tool may write what it has:
 * both happen in exit(), so a thread that is ended from outside calls exit() as soon as it is safe
 * to, which is while it waits or runs its own code. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime.h"

/* Signals carry how often the supervisor has asked; from here on the thread obeys wherever it is.
 */
#define AT_ONCE 20

static pid_t process;

/* ---- Together ---- */

static void on_exit_of_program(int status, void *unused) {
  (void)unused;
  /* A process that the program forked is not a thread. */
  if (getpid() != process || atomic_load(&upcr_control->ending)) return;
#ifdef UPCR_MPI
  upcr_finish_transfers();
#endif
  int measured = &upcr_instrumentation != NULL;
  if (measured) upcr_instrumentation.collective_exit_start(status);
  upcr_synchronize(UPCR_AT_END, status);
  if (measured) {
    upcr_instrumentation.collective_exit_finish(status);
    /* While a tool finishes one thread, the others must still be there. */
    upcr_synchronize(UPCR_AT_END, status);
  }
  atomic_store(&upcr_control->threads[upcr_mythread].passed_end, 1);
  atomic_store(&upcr_control->threads[upcr_mythread].leaving, 1);
}

/* ---- At once ---- */

static int claim(int status) {
  int nobody = 0;
  if (!atomic_compare_exchange_strong(&upcr_control->ending, &nobody, 1)) return 0;
  atomic_store(&upcr_control->status, status);
  atomic_store(&upcr_control->ending, 2);
  return 1;
}

int upcr_note_end(int status) { return claim(status); }

int upcr_claim_end(int status) {
  /* The thread that ends the program reports why; the end signal must not come before that. */
  if (getpid() == process) atomic_store(&upcr_control->threads[upcr_mythread].leaving, 1);
  return claim(status);
}

void upcr_leave(void) {
#ifdef UPCR_MPI
  upcr_leave_network();
#endif
  int status = atomic_load(&upcr_control->status);
  /* Wakes the supervisor now, because handlers of the program's may take their time. */
  if (getpid() == process) {
    upcr_wake_supervisor();
    /* The end signal must not begin the work that follows a second time, such as that of a tool
     * that writes its data. */
    atomic_store(&upcr_control->threads[upcr_mythread].leaving, 1);
  }
  exit(status);
}

void upcr_global_exit(int status) {
  upcr_claim_end(status);
  upcr_leave();
}

UPCR_LIBRARY void upc_global_exit(int status) { upcr_global_exit(status); }

/* ---- Ended from outside ---- */

extern char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));
extern char _DYNAMIC[] __attribute__((weak));

/* Whether the interrupted instruction is the program's own. In a statically linked program it may
 * be the C library's all the same. */
static int in_program(void *context) {
  if (_DYNAMIC == NULL || __executable_start == NULL || etext == NULL) return 0;
#if defined(__x86_64__)
  char *at = (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  char *at = (char *)((ucontext_t *)context)->uc_mcontext.pc;
#else
  char *at = NULL;
  (void)context;
#endif
  return at >= __executable_start && at < etext;
}

void upcr_write_printed(void) {
#ifdef __GLIBC__
  /* Two pthreads may come here at the same time. */
  static atomic_flag written_once = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&written_once)) return;
  const char *from = stdout->_IO_write_base, *to = stdout->_IO_write_ptr;
  while (from < to) {
    ssize_t written = write(1, from, (size_t)(to - from));
    if (written <= 0) return;
    from += written;
  }
#endif
}

/* Wherever this is: nothing but what was printed can be saved. */
static void end_here(void) {
  upcr_write_printed();
#ifdef UPCR_MPI
  upcr_end_from_progress_thread();
#endif
  _exit(atomic_load(&upcr_control->status));
}

static void on_end_signal(int signal, siginfo_t *info, void *context) {
  if (atomic_load(&upcr_control->ending) != 2 ||
      atomic_load(&upcr_control->threads[upcr_mythread].leaving))
    return;
#ifdef UPCR_MPI
  /* Others could not go on without what it is in the middle of, which is short. */
  if (upcr_must_not_leave()) return;
#endif
  if (syscall(SYS_gettid) != process) {
    /* One of several pthreads got it; the process's first one must act. */
    if (info->si_code == SI_QUEUE && info->si_value.sival_int < AT_ONCE)
      syscall(SYS_tgkill, process, process, signal);
    else end_here();
    return;
  }
  int status = atomic_load(&upcr_control->status);
  if (&upcr_instrumentation != NULL)
    upcr_instrumentation.note_signal(status > 128 && status < 128 + NSIG ? status - 128 : 0);
  int in_tool = &upcr_instrumentation != NULL && upcr_instrumentation.in_tool();
  if (!in_tool && (upcr_waiting > 0 || in_program(context))) upcr_leave();
  if (!in_tool && &upcr_instrumentation != NULL) upcr_instrumentation.end_soon();
  if (info->si_code == SI_QUEUE && info->si_value.sival_int < AT_ONCE) return;
  end_here();
}

/* With a tool in the program, a signal that would end it lets the tool write what it has: it
 * becomes an orderly end of all threads, after which the supervisor ends as the signal says. */
static void on_stop_signal(int signal) {
  if (getpid() == process) {
    if (&upcr_instrumentation != NULL) upcr_instrumentation.note_signal(signal);
    claim(128 + signal);
    upcr_wake_supervisor();
    return;
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, NULL);
  raise(signal);
}

static void stop_in_order(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_stop_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    /* Ignored by whoever started us, as nohup does, they stay ignored. */
    if (sigaction(signals[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
        before.sa_handler == SIG_DFL)
      sigaction(signals[i], &action, NULL);
  }
}

void upcr_exit_start(void) {
  process = upcr_control->threads[upcr_mythread].process = getpid();
  on_exit(on_exit_of_program, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_end_signal;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(UPCR_END_SIGNAL, &action, NULL);
  upcr_crash_start();
  if (&upcr_instrumentation != NULL) stop_in_order();
}

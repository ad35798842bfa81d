/* Where every UPC program begins: settle the number of threads, lay out shared memory, fork one
 * process per thread, and run the program's own main in each of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime.h"

/* The program sees it as a constant (pgas_upcr.h), so it has a name of its own where it is set. */
extern int upcr_mythread_set __asm__("upcr_mythread");

extern int upcr_user_main(int argc, char **argv);

static void settle_threads(void) {
  const char *from;
  int threads = upcr_threads_asked_for(&from);
  if (upcr_static_threads != 0) {
    if (threads != 0 && threads != upcr_static_threads) {
      upcr_say("this program was compiled for %d threads (-T %d), it cannot run with %d, as %s "
               "says; run it with %d, or "
               "compile it with -T %d, or without -T for any number",
               upcr_static_threads, upcr_static_threads, threads, from, upcr_static_threads,
               threads);
      exit(2);
    }
    threads = upcr_static_threads;
    if (threads > UPCR_MAX_THREADS) {
      upcr_say("this program was compiled for %d threads, but at most %d can run", threads,
               UPCR_MAX_THREADS);
      exit(2);
    }
  }
  upcr_set_threads(threads != 0 ? threads : 1);
}

static void map_control(void) {
  size_t bytes = sizeof(struct upcr_control) + (size_t)upcr_threads * sizeof(struct upcr_thread);
  void *at =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    upcr_say("no memory for the runtime's own data (%zu bytes): %s", bytes, strerror(errno));
    exit(1);
  }
  upcr_control = at;
}

static void run_thread(int argc, char **argv) __attribute__((noreturn));
static void run_thread(int argc, char **argv) {
  upcr_supervise_forked();
  if (&upcr_instrumentation != NULL) upcr_instrumentation.start(&argc, &argv);
  upcr_exit_start();
  upcr_run_initialisers();
  upcr_synchronize(UPCR_AT_START, 0);
  exit(upcr_user_main(argc, argv));
}

/* The main that the system calls: the link has --wrap=main, so that the program's own main keeps
 * its name, for debuggers and for people. */
int upcr_main(int argc, char **argv) __asm__("__wrap_main");
int upcr_main(int argc, char **argv) {
  upcr_settings_start(&argc, argv);
  settle_threads();
  map_control();
  upcr_segments_start();
  upcr_heap_start();
  if (&upcr_checks != NULL) upcr_checks.start();
  upcr_wait_start(upcr_cores(), upcr_threads);
  upcr_look_start();
  upcr_barrier_start();
  upcr_supervise_start();

  static int processes[UPCR_MAX_THREADS];
  pid_t parent = getpid();
  fflush(NULL);
  for (int t = 0; t < upcr_threads; t++) {
    pid_t child = fork();
    if (child < 0) {
      upcr_say("cannot start thread %d of %d: %s; the limit of processes (ulimit -u) or memory may "
               "be too small",
               t, upcr_threads, strerror(errno));
      for (int i = 0; i < t; i++) kill(processes[i], SIGKILL);
      _exit(1);
    }
    if (child == 0) {
      /* A thread must not outlive its supervisor, which may already be gone. */
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      upcr_mythread_set = t;
      run_thread(argc, argv);
    }
    processes[t] = child;
  }
  /* Not exit: what the program registered for its end belongs to its threads. */
  _exit(upcr_supervise(processes, upcr_threads));
}

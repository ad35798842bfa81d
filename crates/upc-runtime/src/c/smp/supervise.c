/* The parent of all threads: it waits for them, ends all when one fails, passes signals on, and
 * turns what happened into the program's exit status. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define SIGNALS ((int)(sizeof signals / sizeof signals[0]))

/* How long threads may take to end when they are asked to, and when they have begun. */
#define ENDING_MS 2000
#define LEAVING_MS 15000

static sigset_t watched, mask_before;
static struct sigaction child_action_before;

static const int *processes;
static int count, running;
static int statuses[UPCR_MAX_THREADS]; /* -1 while a thread runs */
static int passed_on;     /* a signal that came from outside, and that ends the program */
static int from_terminal; /* the latest signal did */
static int stopped_by;    /* one that the program handles */

void upcr_supervise_start(void) {
  sigemptyset(&watched);
  for (int i = 0; i < SIGNALS; i++) {
    struct sigaction action;
    /* An ignored signal, as under nohup, would come all the same while it is blocked. */
    if (signals[i] == SIGCHLD || sigaction(signals[i], NULL, &action) != 0 ||
        action.sa_handler != SIG_IGN)
      sigaddset(&watched, signals[i]);
  }
  sigprocmask(SIG_BLOCK, &watched, &mask_before);
  /* If children were ignored by whoever started us, we would not hear of them. */
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &child_action_before);
}

void upcr_supervise_forked(void) {
  sigaction(SIGCHLD, &child_action_before, NULL);
  sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

void upcr_wake_supervisor(void) { kill(getppid(), SIGCHLD); }

static long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000l + t.tv_nsec / 1000000l;
}

/* The next signal that came, 0 if none came in time. */
static int next_signal(long milliseconds) {
  struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000l};
  siginfo_t info;
  int signal = sigtimedwait(&watched, &info, &limit);
  from_terminal = signal > 0 && info.si_code == SI_KERNEL;
  return signal > 0 ? signal : 0;
}

/* Whether a thread of the program's handles this signal itself, or ignores it. */
static int handles(int thread, int signal) {
  char path[64], line[128];
  snprintf(path, sizeof path, "/proc/%d/status", processes[thread]);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  int found = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    unsigned long set;
    if (sscanf(line, "SigIgn: %lx", &set) == 1 || sscanf(line, "SigCgt: %lx", &set) == 1)
      found = found || (set >> (signal - 1) & 1) != 0;
  }
  fclose(file);
  return found;
}

static void to_all(int signal) {
  for (int t = 0; t < count; t++)
    if (statuses[t] < 0) kill(processes[t], signal);
}

static void thread_ended(int thread, int status) {
  running--;
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    statuses[thread] = 128 + signal;
    if (atomic_load(&upcr_control->ending) || passed_on) return;
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
      /* Control-C goes to all processes of a terminal: to us too, perhaps a moment later. */
      sigset_t only;
      sigemptyset(&only);
      sigaddset(&only, signal);
      struct timespec moment = {0, 50000000l};
      if (sigtimedwait(&only, NULL, &moment) == signal) {
        passed_on = signal;
        to_all(signal);
        return;
      }
    }
    /* Nobody reads its output any more: no program complains about that. */
    if (upcr_claim_end(128 + signal) && signal != SIGPIPE) {
      char how[800];
      upcr_describe_crash(how, sizeof how, &upcr_control->threads[thread].crash);
      upcr_say("thread %d was ended by signal %d (%s)%s%s", thread, signal, strsignal(signal), how,
               signal == SIGKILL ? "; the system may have run out of memory" : "");
    }
    return;
  }
  statuses[thread] = WEXITSTATUS(status);
  if (atomic_load(&upcr_control->threads[thread].passed_end) || passed_on) return;
  if (upcr_claim_end(statuses[thread] != 0 ? statuses[thread] : 1))
    upcr_say("thread %d ended with status %d and did not wait for the others, as _exit or exec do",
             thread, statuses[thread]);
}

static void collect(void) {
  for (;;) {
    int status;
    pid_t process = waitpid(-1, &status, WNOHANG);
    if (process < 0 && errno == EINTR) continue;
    if (process <= 0) return;
    for (int t = 0; t < count; t++)
      if (processes[t] == process && statuses[t] < 0) thread_ended(t, status);
  }
}

/* Ends all threads that still run: first so that they can flush what they have, then for good.
 * Those that are at it get more time, since a tool may have much to write. */
static void end_all(void) {
  long begin = now_ms();
  int again = 0;
  for (int attempt = 0; running > 0; attempt++) {
    long elapsed = now_ms() - begin;
    /* A signal at the start may find threads that die of it, and others that already make an
     * orderly end of it and wait to be told. */
    int on_their_own = passed_on && atomic_load(&upcr_control->ending) != 2;
    for (int t = 0; t < count; t++) {
      if (statuses[t] >= 0) continue;
      int leaving = atomic_load(&upcr_control->threads[t].leaving);
      if (again || elapsed > (leaving || on_their_own ? LEAVING_MS : ENDING_MS))
        kill(processes[t], SIGKILL);
      else if (!leaving && !on_their_own)
        sigqueue(processes[t], UPCR_END_SIGNAL, (union sigval){.sival_int = attempt});
    }
    /* A repeated signal is deliberate; only at first it may come twice, through the terminal and a
     * parent. */
    int signal = next_signal(10);
    if (signal != 0 && signal != SIGCHLD) {
      again = again || ((passed_on || stopped_by) && elapsed > 500);
      /* The threads may have been faster to hear of it. */
      if (!passed_on && !stopped_by) stopped_by = signal;
    }
    collect();
  }
}

int upcr_supervise(const int *processes_of_threads, int threads) {
  processes = processes_of_threads;
  count = running = threads;
  for (int t = 0; t < count; t++) statuses[t] = -1;

  while (running > 0) {
    int signal = next_signal(3600 * 1000l);
    if (signal != 0 && signal != SIGCHLD && !passed_on) {
      /* A program that handles a signal decides on its effect itself. So does one with a tool: its
       * handlers have all threads end in order, see below. */
      if (!handles(0, signal)) passed_on = signal;
      else stopped_by = signal;
      /* That of a terminal has reached them by itself. */
      if (!from_terminal) to_all(signal);
    }
    collect();
    if (running > 0 && (passed_on || atomic_load(&upcr_control->ending) == 2)) {
      end_all();
      break;
    }
  }

  int in_order = 1;
  for (int t = 0; t < count; t++)
    in_order = in_order && atomic_load(&upcr_control->threads[t].passed_end);
  if (!in_order && &upcr_instrumentation != NULL) upcr_instrumentation.collect();

  /* A program with a tool has handled the signal by an orderly end. */
  int status = atomic_load(&upcr_control->ending) ? atomic_load(&upcr_control->status) : 0;
  if (!passed_on && stopped_by != 0 && status == 128 + stopped_by) passed_on = stopped_by;
  if (passed_on) {
    /* As any program that the signal ended, unless the threads have handled it. */
    for (int t = 0; t < count; t++) {
      if (statuses[t] != 128 + passed_on && statuses[t] != 128 + SIGKILL) continue;
      struct sigaction action;
      memset(&action, 0, sizeof action);
      action.sa_handler = SIG_DFL;
      sigaction(passed_on, &action, NULL);
      sigset_t only;
      sigemptyset(&only);
      sigaddset(&only, passed_on);
      kill(getpid(), passed_on);
      sigprocmask(SIG_UNBLOCK, &only, NULL);
      return 128 + passed_on;
    }
  }
  if (atomic_load(&upcr_control->ending)) return atomic_load(&upcr_control->status);
  for (int t = 0; t < count; t++)
    if (statuses[t] != 0) return statuses[t];
  return 0;
}

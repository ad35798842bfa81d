/* A tool's data in the memory of a node outlives a process that is killed, but nobody of
 * another node can get at it. So a measured process has a child that does nothing but wait for its
 * end: if that was not in order, the child has the tool collect what is left. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "network.h"

static int to_collector = -1;

/* Launchers take a process to be there as long as somebody has its outputs. */
static void close_all_but(int kept) {
  struct rlimit limit;
  int most =
      getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 4096 ? (int)limit.rlim_cur : 4096;
  for (int file = 0; file < most; file++)
    if (file != kept) close(file);
}

static void await_end(int from_process) __attribute__((noreturn));
static void await_end(int from_process) {
  /* Out of the group that launchers send signals to. */
  setsid();
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGTERM, &ignore, NULL);
  sigaction(SIGHUP, &ignore, NULL);
  close_all_but(from_process);
  int nothing = open("/dev/null", O_RDWR);
  if (nothing == 0) dup2(nothing, 1), dup2(nothing, 2);
  char in_order;
  ssize_t got;
  do got = read(from_process, &in_order, 1);
  while (got < 0 && errno == EINTR);
  if (got == 0) upcr_instrumentation.collect();
  _exit(0);
}

void upcr_collector_start(void) {
  int ends[2];
  if (&upcr_instrumentation == NULL || pipe2(ends, O_CLOEXEC) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    /* A child of its own, so that the program need not wait for it. */
    if (fork() == 0) await_end(ends[0]);
    _exit(0);
  }
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    return;
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  to_collector = ends[1];
}

void upcr_collector_dismiss(void) {
  if (to_collector >= 0 && write(to_collector, "", 1) < 0) return;
}

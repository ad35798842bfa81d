/* Words about a thread that crashed, for the supervisor's message: what the address tells, and the
 * place in the source, which the system's addr2line finds where the program has debug information.
 * Threads that hang are placed by it, too. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crash.h"
#include "runtime.h"

/* A large program's debug information takes a while to read. */
#define LONGEST_MS 3000

/* Answer of addr2line about the places: a line with the function and one with the file for each. */
static void ask(const uintptr_t *places, int count, char *answer, size_t size) {
  answer[0] = 0;
  char numbers[UPCR_CRASH_PLACES][24], executable[32];
  /* Our own, by a name that holds when it has been replaced or deleted. */
  snprintf(executable, sizeof executable, "/proc/%d/exe", getpid());
  char *arguments[UPCR_CRASH_PLACES + 5] = {"addr2line", "-f", "-e", executable};
  for (int i = 0; i < count && i < UPCR_CRASH_PLACES; i++) {
    snprintf(numbers[i], sizeof numbers[i], "0x%lx",
             (unsigned long)places[i] + upcr_link_address());
    arguments[4 + i] = numbers[i];
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    upcr_supervise_forked();
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(ends[1], 1) < 0 || dup2(nothing, 2) < 0)
      _exit(127);
    execvp("addr2line", arguments);
    _exit(127);
  }
  close(ends[1]);
  if (child > 0) {
    size_t length = 0;
    struct pollfd wait = {ends[0], POLLIN, 0};
    while (length < size - 1 && poll(&wait, 1, LONGEST_MS) > 0) {
      ssize_t got = read(ends[0], answer + length, size - 1 - length);
      if (got <= 0) break;
      length += (size_t)got;
    }
    answer[length] = 0;
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
}

void upcr_describe_place(char *text, size_t size, const uintptr_t *places, int count,
                         const char *first_way, const char *way) {
  char answer[8192], *rest = answer;
  text[0] = 0;
  if (count == 0) return;
  ask(places, count, answer, sizeof answer);
  for (int i = 0; i < count; i++) {
    char *function = strsep(&rest, "\n"), *file = strsep(&rest, "\n");
    if (function == NULL || file == NULL) return;
    char *end = strstr(file, " (discriminator");
    if (end != NULL) *end = 0;
    char *line = strrchr(file, ':');
    if (line == NULL || line[1] < '1' || line[1] > '9') continue;
    snprintf(text, size, "%s %.100s at %.300s", i == 0 ? first_way : way,
             function[0] == '?' ? "a function" : function, file);
    return;
  }
}

/* Describes the address, as far as it is known. */
static void describe_address(char *text, size_t size, const struct upcr_crash *crash) {
  uintptr_t address = crash->address;
  text[0] = 0;
  if (crash->code <= 0) return; /* somebody sent the signal */
  if (crash->signal == SIGFPE) {
    if (crash->code == FPE_INTDIV) snprintf(text, size, ": division of an integer by zero");
    return;
  }
  if (crash->signal != SIGSEGV && crash->signal != SIGBUS) return;
  if (crash->code == SI_KERNEL) {
    snprintf(text, size, ": a pointer has a value that is no address");
  } else if (address < 65536) {
    snprintf(text, size, ": access through a null pointer (address 0x%lx)", address);
  } else if (address >= UPCR_BASE && address < upcr_segment(UPCR_MAX_THREADS)) {
    int thread = upcr_thread_of(address);
    if (thread >= upcr_threads)
      snprintf(text, size, ": access to shared memory of thread %d, but there are %d threads",
               thread, upcr_threads);
    else
      snprintf(text, size, ": access to shared memory of thread %d at 0x%lx, where nothing is",
               thread, address & UPCR_OFFSET_MASK);
  } else if (crash->on_stack) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      snprintf(text, size, ": its stack of %lu KiB is exhausted; allow a larger one with ulimit -s",
               (unsigned long)limit.rlim_cur >> 10);
    else snprintf(text, size, ": its stack is exhausted");
  } else {
    snprintf(text, size, ": access to address 0x%lx", address);
  }
}

void upcr_describe_crash(char *text, size_t size, const struct upcr_crash *crash) {
  char place[500], address[200];
  text[0] = 0;
  if (!atomic_load(&crash->complete)) return;
  upcr_describe_place(place, sizeof place, crash->places, crash->count,
                      crash->in_program ? " in" : " called from", " called from");
  describe_address(address, sizeof address, crash);
  snprintf(text, size, "%s%s", place, address);
}

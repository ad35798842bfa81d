/* A program that computes, and does the worst to a recorder that samples it. For each of its parts it prints the CPU
 * time that the part took, in nanoseconds. */
#define _GNU_SOURCE
#include "program.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void sort_all(int *numbers, int count); /* of an object without frame pointers, which nobody instrumented */

static volatile double sum;

static long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

__attribute__((noinline)) static void add(long steps) {
  double x = 1;
  for (long i = 0; i < steps; i++) x = x * 1.0000001 + 0.5;
  sum += x;
}

/* Computes in a region of that name, and says how long. */
static void work(const char *name, long steps) {
  START(GASP_C_FUNC, 20, name);
  long begin = now(CLOCK_THREAD_CPUTIME_ID);
  add(steps);
  long time = now(CLOCK_THREAD_CPUTIME_ID) - begin;
  END(GASP_C_FUNC, 20, name);
  printf("%s %ld\n", name, time);
}

__attribute__((noinline)) static void sort(int rounds) {
  enum { COUNT = 20000 };
  static int numbers[COUNT];
  START(GASP_C_FUNC, 30, "sort");
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < COUNT; i++) numbers[i] = (int)((i + 1L) * 7919 * (round + 1) % 100003);
    sort_all(numbers, COUNT);
  }
  for (int i = 1; i < COUNT; i++)
    if (numbers[i - 1] > numbers[i]) abort();
  END(GASP_C_FUNC, 30, "sort");
}

static volatile sig_atomic_t alarms, profiles, urgent;
static sigjmp_buf out;
static volatile sig_atomic_t may_jump;

static void on_alarm(int signal) {
  (void)signal;
  alarms++;
  if (may_jump) siglongjmp(out, 1);
}
static void on_profile(int signal) {
  (void)signal;
  profiles++;
}
static void on_urgent(int signal) {
  (void)signal;
  urgent++;
}

static void handle(int signal, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, NULL);
}

/* Has `signal` handled on a stack of 16 KB. */
static void handle_on_small_stack(int signal) {
  static char memory[16 << 10];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  if (sigaltstack(&stack, NULL) || sigaction(signal, &action, NULL)) abort();
}

static void timers(long microseconds) {
  struct itimerval value = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &value, NULL);
  setitimer(ITIMER_PROF, &value, NULL);
}

static void *other(void *steps) {
  add((long)steps);
  return NULL;
}

/* Goes down until 24 KB are left of the stack, and computes there. */
__attribute__((noinline)) static long deep(char *low, long steps, long depth) {
  char here[512];
  memset(here, (int)depth, sizeof here);
  if (here - low < 24 << 10) {
    work("deep", steps);
    return depth;
  }
  return deep(low, steps, depth + 1) + (here[depth % 512] != (char)depth);
}

static char *lowest(void) {
  pthread_attr_t attributes;
  void *low;
  size_t length;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &length);
  pthread_attr_destroy(&attributes);
  return low;
}

static void *deep_thread(void *steps) {
  begin();
  START(GASP_C_FUNC, 40, "thread");
  deep(lowest(), (long)steps, 0);
  END(GASP_C_FUNC, 40, "thread");
  return NULL;
}

static void load(const char *library, int rounds, long steps) {
  START(GASP_C_FUNC, 50, "load");
  long begin = now(CLOCK_THREAD_CPUTIME_ID);
  for (int round = 0; round < rounds; round++) {
    void *handle = dlopen(library, RTLD_NOW);
    if (!handle) abort();
    double (*compute)(long) = (double (*)(long))dlsym(handle, "compute");
    sum += compute(steps);
    dlclose(handle);
  }
  printf("load %ld\n", now(CLOCK_THREAD_CPUTIME_ID) - begin);
  END(GASP_C_FUNC, 50, "load");
}

/* As in a container: no events of the kernel. */
static void refuse_events(void) {
  struct sock_filter rules[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_perf_event_open},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  struct sock_fprog filter = {4, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0)) abort();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  long steps = argc > 2 ? atol(argv[2]) : 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!strcmp(what, "deep")) {
    /* in a thread whose stack is small: the main thread's may have no limit */
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    pthread_create(&thread, &attributes, deep_thread, (void *)steps);
    pthread_join(thread, NULL);
    return 0;
  }
  if (!strcmp(what, "urgent first")) handle(SIGURG, on_urgent);
  if (!strcmp(what, "refused")) refuse_events();
  begin();
  START(GASP_C_FUNC, 1, "main");
  if (!strcmp(what, "ratio") || !strcmp(what, "refused")) {
    work("one", steps);
    work("three", 3 * steps);
  } else if (!strcmp(what, "sort")) {
    sort((int)steps);
  } else if (!strcmp(what, "rest")) {
    START(GASP_C_FUNC, 60, "rest");
    for (long end = now(CLOCK_MONOTONIC) + steps; now(CLOCK_MONOTONIC) < end;) usleep(10000);
    END(GASP_C_FUNC, 60, "rest");
  } else if (!strcmp(what, "urgent") || !strcmp(what, "urgent first")) {
    work("before", steps);
    handle(SIGURG, on_urgent);
    raise(SIGURG);
    work("after", steps);
    printf("urgent %d\n", urgent > 0);
  } else if (!strcmp(what, "small stack")) {
    work("before", steps);
    handle_on_small_stack(SIGSEGV);
    sort(40);
    handle_on_small_stack(SIGALRM);
    work("after", steps);
  } else if (!strcmp(what, "exit")) {
    START(GASP_C_FUNC, 80, "last");
    long begin = now(CLOCK_THREAD_CPUTIME_ID);
    add(steps);
    printf("last %ld\n", now(CLOCK_THREAD_CPUTIME_ID) - begin);
    exit(0);
  } else if (!strcmp(what, "load")) {
    load(argv[3], 20, steps);
  } else if (!strcmp(what, "torture")) {
    handle(SIGALRM, on_alarm);
    handle(SIGPROF, on_profile);
    timers(700);
    pthread_t thread;
    pthread_create(&thread, NULL, other, (void *)steps);
    work("timers", steps);
    pthread_join(thread, NULL);
    if (!alarms || !profiles) abort();
    timers(0);

    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    work("blocked", steps);
    sigprocmask(SIG_SETMASK, &before, NULL);

    for (int i = 3; i < 1024; i++) close(i);
    for (int i = 3; i < 300; i++)
      if (open("/dev/null", O_RDWR) != i) abort();
    work("closed", steps);

    timers(900);
    START(GASP_C_FUNC, 70, "jumps");
    for (volatile int jumps = 0; jumps < 50; jumps++) {
      if (sigsetjmp(out, 1) == 0) {
        may_jump = 1;
        for (;;) add(1000);
      }
      may_jump = 0;
    }
    END(GASP_C_FUNC, 70, "jumps");
    timers(0);

    pid_t child = fork();
    if (child == 0) {
      add(steps);
      exit(5);
    }
    work("parent", steps);
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5) abort();
    child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 6", NULL);
      _exit(1);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 6) abort();
  }
  END(GASP_C_FUNC, 1, "main");
  return 0;
}

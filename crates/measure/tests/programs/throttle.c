/* Programs with many short calls, one for each argv[1]; argv[2] says how many. With "kill" as argv[3] it kills itself behind them.
 * For "noted", argv[2] is a file of two numbers, in which it notes how many calls have begun, and how many are over. */
#include "program.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long calls;
static pts far = {1, 0x2000};

static void tiny(void) {
  START(GASP_C_FUNC, 10, "tiny");
  END(GASP_C_FUNC, 10, "tiny");
}

/* Calls tiny, and every 1000th time a barrier. */
static void caller(long i) {
  START(GASP_C_FUNC, 20, "caller");
  tiny();
  if (i % 1000 == 999) BOTH(GASP_UPC_BARRIER, 21, 0, 0);
  END(GASP_C_FUNC, 20, "caller");
}

/* As many calls as Fibonacci's number says, inside of each other. */
static void fibonacci(int n) {
  START(GASP_C_FUNC, 30, "fibonacci");
  calls++;
  if (n > 1) fibonacci(n - 1), fibonacci(n - 2);
  END(GASP_C_FUNC, 30, "fibonacci");
}

/* Leaves two functions by longjmp: their ends are never seen. */
static void jumper(void) {
  START(GASP_C_FUNC, 40, "catcher");
  START(GASP_C_FUNC, 41, "jumper");
  START(GASP_C_FUNC, 42, "thrower");
  END(GASP_C_FUNC, 40, "catcher");
}

static void transfer(long i) {
  far.thread = 1 + i % 2;
  BOTH(GASP_UPC_MEMPUT, 50, (void *)&far, (void *)&calls, (size_t)(10 * far.thread));
}

static long ticks(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

/* Takes at least 2 microseconds between its start and its end; returns how long it took with these. */
static long spin(void) {
  long begin = ticks();
  START(GASP_C_FUNC, 60, "spin");
  for (long inner = ticks(); ticks() - inner < 2000;) {
  }
  END(GASP_C_FUNC, 60, "spin");
  return ticks() - begin;
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  long n = argc > 2 ? atol(argv[2]) : 1;
  begin();
  START(GASP_C_FUNC, 1, "main");
  if (!strcmp(what, "tiny")) {
    for (long i = 0; i < n; i++) tiny();
  } else if (!strcmp(what, "threads")) {
    for (long i = 0; i < n; i++) tiny();
    struct stat tasks;
    stat("/proc/self/task", &tasks);
    printf("%d\n", (int)tasks.st_nlink - 2);
  } else if (!strcmp(what, "nested")) {
    for (long i = 0; i < n; i++) caller(i);
  } else if (!strcmp(what, "fibonacci")) {
    fibonacci((int)n);
    printf("%ld\n", calls);
  } else if (!strcmp(what, "deep")) {
    for (long i = 0; i < n; i++) START(GASP_C_FUNC, 70, "deep");
    for (long i = 0; i < n; i++) END(GASP_C_FUNC, 70, "deep");
  } else if (!strcmp(what, "jumps")) {
    for (long i = 0; i < n; i++) jumper();
  } else if (!strcmp(what, "transfers")) {
    for (long i = 0; i < n; i++) transfer(i);
  } else if (!strcmp(what, "off")) {
    for (long i = 0; i < n; i++) tiny();
    gasp_control(context, 0);
    for (long i = 0; i < n; i++) tiny();
    START(GASP_C_FUNC, 80, "during");
    gasp_control(context, 1);
    for (long i = 0; i < n; i++) tiny();
    END(GASP_C_FUNC, 80, "during");
  } else if (!strcmp(what, "spin")) {
    long longest = 0;
    for (long i = 0; i < n; i++) {
      long took = spin();
      if (took > longest) longest = took;
    }
    printf("%ld\n", longest);
  } else if (!strcmp(what, "barriers")) {
    for (long i = 0; i < n; i++) BOTH(GASP_UPC_BARRIER, 90, 0, 0);
  } else if (!strcmp(what, "waits")) {
    START(GASP_C_FUNC, 95, "outer");
    for (long i = 0;; i++) {
      caller(0);
      transfer(i);
      usleep(1000);
    }
  } else if (!strcmp(what, "noted")) {
    int file = open(argv[2], O_RDWR);
    volatile long *noted = mmap(NULL, 2 * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (noted == MAP_FAILED) return 1;
    /* It is killed long before. */
    for (long i = 0; i < 100000; i++) {
      noted[0]++;
      caller(0);
      transfer(0);
      noted[1]++;
      usleep(500);
    }
  }
  if (argc > 3 && !strcmp(argv[3], "kill")) kill(getpid(), SIGKILL);
  END(GASP_C_FUNC, 2, "main");
  return 0;
}

/* The ways a program can end; the first argument chooses. Every thread prints without a line end, so that what it has
 * printed is still in its buffer. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "test.h"

static void handler(void) { printf("<atexit %d>", MYTHREAD); }

static void nap(long ms);
static void slow(void) {
  for (int i = 0; i < 50; i++) nap(50);
  printf("<slow %d>", MYTHREAD);
}

static void nap(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&t, NULL);
}

static void *in_pthread(void *unused) {
  nap(100000);
  return unused;
}

static __attribute__((noinline)) void store(int *p) {
  *(volatile int *)p = 1;
}

static __attribute__((noinline)) int deep(int n) {
  volatile char room[4096];
  room[n % 4096] = 1;
  return deep(n + 1) + room[n % 4095];
}

/* A program that is told to end and goes on with it at its own pace. */
static volatile sig_atomic_t told;
static void on_told(int signal) { told += signal == SIGTERM; }

int upcr_user_main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  printf("<%d>", MYTHREAD);
  barrier();
#define IS(name) (strcmp(what, name) == 0)
  if (IS("arguments")) {
    if (MYTHREAD == 0) {
      printf("%d", THREADS);
      for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
      printf("\n");
    }
    return argv[argc] != NULL;
  }
  if (IS("return")) return 0;
  if (IS("return 3")) return MYTHREAD == 1 ? 3 : 0;
  if (IS("exit")) exit(5);
  if (IS("atexit")) { atexit(handler); return 0; }
  /* One ends all; the others compute, wait, sleep, take a lock, or have a pthread. */
  if (strncmp(what, "global", 6) == 0) {
    upcr_pts lock = upc_all_lock_alloc();
    if (MYTHREAD == 1) upc_lock(lock);
    barrier();
    if (MYTHREAD == 1) { nap(20); printf("<last words>"); upc_global_exit(6); }
    if (IS("global compute")) for (volatile long i = 0;; i++) {}
    if (IS("global barrier")) barrier();
    if (IS("global sleep")) for (;;) nap(10000);
    if (IS("global lock")) upc_lock(lock);
    if (IS("global pthread")) { pthread_t t; pthread_create(&t, NULL, in_pthread, NULL); pthread_join(t, NULL); }
    if (IS("global print")) for (;;) { putchar('.'); if (ftell(stdout) == -2) break; nap(0); }
  }
  if (IS("global all")) upc_global_exit(0);
  if (MYTHREAD == 1) {
    if (IS("null pointer")) store(NULL);
    if (IS("no such thread")) store((int *)(UPCR_BASE + (9ul << UPCR_SHIFT)));
    if (IS("wild pointer")) store((int *)0x23456789000ul);
    if (IS("no address")) store((int *)0x8000000000000000ul);
    if (IS("deep")) return deep(1);
    if (IS("in the library")) strcpy((char *)NULL + MYTHREAD, what);
    if (IS("division")) { volatile int one = 1; return one / (int)(THREADS - strtol("4", NULL, 10)); }
    if (IS("crash")) { nap(20); raise(SIGSEGV); }
    if (IS("abort")) abort();
    if (IS("_exit")) _exit(4);
    if (IS("_exit 0")) _exit(0);
    if (IS("killed")) raise(SIGKILL);
  }
  if (IS("broken pipe")) for (;;) printf("more and more\n");
  /* At its end a program, or a tool in it, may take longer than the patience with threads that do not react. */
  if (IS("slow end")) {
    atexit(slow);
    if (MYTHREAD == 1) { nap(20); upc_global_exit(6); }
    barrier();
  }
  if (IS("handles")) {
    signal(SIGTERM, on_told);
    barrier();
    if (MYTHREAD == 0) { printf("<ready>"); fflush(stdout); }
    while (!told) nap(1);
    nap(100);
    printf("<told %d>", MYTHREAD);
    exit(9);
  }
  if (IS("hang")) { if (MYTHREAD == 0) { printf("<ready>"); fflush(stdout); } for (;;) nap(1000); }
  if (IS("child")) {
    /* A process that the program makes itself is no thread. */
    fflush(stdout);
    if (MYTHREAD == 0 && fork() == 0) { printf("<child>"); exit(9); }
    return 0;
  }
  barrier();
  return 0;
}

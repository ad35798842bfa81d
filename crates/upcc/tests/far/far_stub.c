/* Several nodes on one machine, for tests of code that is compiled for them: every FAR_NODE threads
 * (1 unless the environment says another number) are a node. Data of other nodes is mapped a second
 * time, for the functions here; where the program expects it, any access of the program's own code
 * ends it. The program's code is in section `upctext`; the runtime's own, which is made for one
 * node, may access what it likes, and does so step by step. With FAR_LAZY, writes wait for a fence,
 * and what was read is kept until then. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "pgas_upcr.h"

upcr_addr_t near_base_set __asm__("upcr_near_base");
unsigned long near_bytes_set __asm__("upcr_near_bytes");
int upcr_far_open;

/* Of the runtime. */
extern unsigned long upcr_common_heap, upcr_heap_bytes;

/* The program's code. */
extern const char __start_upctext[] __attribute__((weak));
extern const char __stop_upctext[] __attribute__((weak));

static unsigned long segment_bytes;
/* Where far segments are mapped for this file; nothing before the program starts. */
static char *second[1024];
static int is_lazy;

static void say_and_exit(const char *what, unsigned long a) {
  char text[200];
  int n = snprintf(text, sizeof text, "far_stub: thread %d: %s at 0x%lx\n", upcr_mythread, what, a);
  if (write(2, text, (size_t)n) < 0) _exit(98);
  _exit(99);
}

static char *at(upcr_addr_t a, unsigned long n) {
  int thread = upcr_thread_of(a);
  unsigned long offset = a & UPCR_OFFSET_MASK;
  if (thread < 0 || thread >= upcr_threads || offset + n > segment_bytes)
    say_and_exit("access by address", a);
  if (upcr_is_near(a)) say_and_exit("call for near data", a);
  return second[thread] != NULL ? second[thread] + offset : (char *)a;
}

/* ---- Lazy: a cache of bytes, with those that are not written back ---- */

enum { LINE = 64, LINES = 512 };
static struct line {
  upcr_addr_t a;
  char bytes[LINE], is_written[LINE];
} lines[LINES];
static int lines_count;

static void copy_at_once(char *to, const char *from, unsigned long n) {
  if (n == 8 && ((unsigned long)to | (unsigned long)from) % 8 == 0)
    *(volatile long *)to = *(volatile const long *)from;
  else if (n == 4 && ((unsigned long)to | (unsigned long)from) % 4 == 0)
    *(volatile int *)to = *(volatile const int *)from;
  else if (n == 2 && ((unsigned long)to | (unsigned long)from) % 2 == 0)
    *(volatile short *)to = *(volatile const short *)from;
  else memcpy(to, from, n);
}

static void write_back(void) {
  for (int l = 0; l < lines_count; l++)
    for (int i = 0; i < LINE; i++)
      if (lines[l].is_written[i]) *at(lines[l].a + (unsigned long)i, 1) = lines[l].bytes[i];
  lines_count = 0;
}

static struct line *line_of(upcr_addr_t a) {
  upcr_addr_t first = a / LINE * LINE;
  for (int l = 0; l < lines_count; l++)
    if (lines[l].a == first) return &lines[l];
  if (lines_count == LINES) write_back();
  struct line *line = &lines[lines_count++];
  memset(line, 0, sizeof *line);
  line->a = first;
  memcpy(line->bytes, at(first, LINE), LINE);
  return line;
}

/* ---- What the compiler calls ---- */

void upcr_far_get(void *to, upcr_addr_t a, unsigned long n) {
  upcr_far_open = 1;
  if (!is_lazy) {
    copy_at_once(to, at(a, n), n);
    return;
  }
  for (unsigned long i = 0; i < n; i++) ((char *)to)[i] = line_of(a + i)->bytes[(a + i) % LINE];
}

void upcr_far_put(upcr_addr_t a, const void *from, unsigned long n) {
  upcr_far_open = 1;
  if (!is_lazy) {
    copy_at_once(at(a, n), from, n);
    return;
  }
  for (unsigned long i = 0; i < n; i++) {
    struct line *line = line_of(a + i);
    line->bytes[(a + i) % LINE] = ((const char *)from)[i];
    line->is_written[(a + i) % LINE] = 1;
  }
}

unsigned long upcr_far_read(upcr_addr_t a, int n) {
  unsigned long value = 0;
  if (n != 1 && n != 2 && n != 4 && n != 8) say_and_exit("read of an odd size", a);
  upcr_far_get(&value, a, (unsigned long)n);
  return value;
}

void upcr_far_write(upcr_addr_t a, unsigned long value, int n) {
  if (n != 1 && n != 2 && n != 4 && n != 8) say_and_exit("write of an odd size", a);
  upcr_far_put(a, &value, (unsigned long)n);
}

void upcr_far_fence(void) {
  write_back();
  upcr_far_open = 0;
}

/* Statements that synchronise are fences; the runtime's own know of no far data. */
#define WRAPPED(name)                                                           \
  extern void __real_##name(int, int, const char *, int) __attribute__((weak)); \
  void __wrap_##name(int named, int value, const char *file, int line) {        \
    upcr_far_fence();                                                           \
    __real_##name(named, value, file, line);                                    \
    upcr_far_fence();                                                           \
  }
WRAPPED(upcr_barrier)
WRAPPED(upcr_notify)
WRAPPED(upcr_wait)
void __real_upcr_fence(const char *, int) __attribute__((weak));
void __wrap_upcr_fence(const char *file, int line) {
  upcr_far_fence();
  __real_upcr_fence(file, line);
}

/* The kernel must not be shown an address of far data: it would say that nothing is there. */
long __wrap_syscall(long number, ...) {
  extern long __real_syscall(long, ...);
  va_list list;
  long a[6];
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  upcr_addr_t word = (upcr_addr_t)a[0];
  int thread = upcr_thread_of(word);
  if (number == SYS_futex && thread >= 0 && thread < upcr_threads && second[thread] != NULL)
    a[0] = (long)(second[thread] + (word & UPCR_OFFSET_MASK));
  return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- Plain accesses to far data ---- */

#ifdef __x86_64__
static struct sigaction before;
static upcr_addr_t opened;

static void protect(upcr_addr_t a, int how) {
  upcr_addr_t first = UPCR_BASE + ((unsigned long)upcr_thread_of(a) << UPCR_SHIFT);
  if (mprotect((void *)first, segment_bytes, how) != 0) say_and_exit("mprotect fails", a);
}

enum { TRAP_FLAG = 1 << 8 };

static void faulted(int number, siginfo_t *info, void *context) {
  ucontext_t *u = context;
  upcr_addr_t a = (upcr_addr_t)info->si_addr;
  const char *code = (const char *)u->uc_mcontext.gregs[REG_RIP];
  int thread = upcr_thread_of(a);
  int is_far = a >= UPCR_BASE && thread < upcr_threads && second[thread] != NULL &&
               (a & UPCR_OFFSET_MASK) < segment_bytes;
  (void)number;
  if (!is_far) {
    sigaction(SIGSEGV, &before, NULL);
    return;
  }
  if (code >= __start_upctext && code < __stop_upctext) say_and_exit("plain access to far data", a);
  /* One instruction of the runtime may access two segments. */
  if (opened == 0) opened = a;
  protect(a, PROT_READ | PROT_WRITE);
  u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void stepped(int number, siginfo_t *info, void *context) {
  ucontext_t *u = context;
  (void)number;
  (void)info;
  for (int t = 0; t < upcr_threads; t++)
    if (second[t] != NULL) protect(UPCR_BASE + ((unsigned long)t << UPCR_SHIFT), PROT_NONE);
  opened = 0;
  u->uc_mcontext.gregs[REG_EFL] &= ~(long)TRAP_FLAG;
}

static void watch(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = stepped;
  sigaction(SIGTRAP, &action, NULL);
  action.sa_sigaction = faulted;
  sigaction(SIGSEGV, &action, &before);
}
#endif

static void start(void) {
  const char *node = getenv("FAR_NODE");
  int threads = node != NULL ? atoi(node) : 1;
  int first = upcr_mythread / threads * threads;
  is_lazy = getenv("FAR_LAZY") != NULL;
  segment_bytes = upcr_common_heap + upcr_heap_bytes;
  near_base_set = UPCR_BASE + ((unsigned long)first << UPCR_SHIFT);
  near_bytes_set = (unsigned long)threads << UPCR_SHIFT;
  for (int t = 0; t < upcr_threads; t++) {
    void *segment = (void *)(UPCR_BASE + ((unsigned long)t << UPCR_SHIFT));
    if (t >= first && t < first + threads) continue;
    void *copy = mremap(segment, 0, segment_bytes, MREMAP_MAYMOVE);
    if (copy == MAP_FAILED) say_and_exit("mremap fails", (unsigned long)segment);
    second[t] = copy;
#ifdef __x86_64__
    if (mprotect(segment, segment_bytes, PROT_NONE) != 0)
      say_and_exit("mprotect fails", (unsigned long)segment);
#endif
  }
#ifdef __x86_64__
  watch();
#endif
}
static void (*const start_here)(void) __attribute__((section("upcr_init_private"), used)) = start;

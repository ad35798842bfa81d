/* A thread that crashes notes where and why, for the message of the supervisor, writes what it has
 * printed, and then ends as it would have done by itself, with a core file where these are enabled.
 * Programs that handle these signals themselves are left alone. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "crash.h"
#include "runtime.h"

/* Words of the stack that are searched for return addresses. */
#define SEARCHED 512
/* A fault so near to the stack pointer is one of the stack. */
#define NEAR 65536ul
#define HANDLER_STACK 65536ul

extern char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

#if defined UPCR_MPI && defined __GLIBC__
/* UCX, which some MPI libraries use, puts a sigaction of its own in the way, which changes nothing.
 */
extern int __sigaction(int, const struct sigaction *, struct sigaction *);
int upcr_sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  return __sigaction(signal, action, before);
}
#else
int upcr_sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  return sigaction(signal, action, before);
}
#endif

static int is_in_program(uintptr_t address) {
  return __executable_start != NULL && etext != NULL && address >= (uintptr_t)__executable_start &&
         address < (uintptr_t)etext;
}

static void registers(const ucontext_t *context, uintptr_t *instruction, uintptr_t *stack) {
#if defined(__x86_64__)
  *instruction = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  *stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  *instruction = context->uc_mcontext.pc;
  *stack = context->uc_mcontext.sp;
#else
  (void)context;
  *instruction = *stack = 0;
#endif
}

/* Whether the stack can be read here, up to the end of the page: the pointer may have been
 * overwritten. */
static int is_readable(uintptr_t address) {
  unsigned char resident;
  return mincore((void *)(address & ~4095ul), 1, &resident) == 0;
}

/* Where it happened, then what looks like return addresses into the program, innermost first: the
 * instruction itself may be in the C library, or in the runtime, whose source is none of the
 * user's. */
static void note_places(struct upcr_crash *crash, uintptr_t instruction, uintptr_t stack) {
  uintptr_t base = (uintptr_t)__executable_start;
  crash->in_program = is_in_program(instruction);
  if (crash->in_program) crash->places[crash->count++] = instruction - base;
  stack &= ~(sizeof(uintptr_t) - 1);
  for (int i = 0; i < SEARCHED && crash->count < UPCR_CRASH_PLACES;
       i++, stack += sizeof(uintptr_t)) {
    if ((i == 0 || stack % 4096 == 0) && !is_readable(stack)) return;
    uintptr_t word = *(const uintptr_t *)stack;
    if (is_in_program(word)) crash->places[crash->count++] = word - 1 - base;
  }
}

static void on_crash(int signal, siginfo_t *info, void *context) {
  struct upcr_crash *crash = &upcr_control->threads[upcr_mythread].crash;
  int first = 0;
  if (getpid() == upcr_control->threads[upcr_mythread].process &&
      atomic_compare_exchange_strong(&crash->signal, &first, signal)) {
    uintptr_t instruction, stack;
    registers(context, &instruction, &stack);
    crash->code = info->si_code;
    crash->address = (uintptr_t)info->si_addr;
    crash->on_stack = crash->address - stack + NEAR < 2 * NEAR;
    note_places(crash, instruction, stack);
    atomic_store(&crash->complete, 1);
    if (&upcr_instrumentation != NULL) upcr_instrumentation.note_signal(signal);
    upcr_write_printed();
#ifdef UPCR_MPI
    upcr_await_crash_report();
#endif
  }
  /* The handler is gone: a fault comes again, and a signal that somebody sent must be sent again.
   */
  if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

void upcr_crash_start(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  /* An exhausted stack leaves no room for the handler. */
  stack.ss_sp =
      mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = HANDLER_STACK;
  if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0) return;
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_crash;
    action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    /* A sanitizer, or a library that the program has loaded, may want them. */
    if (upcr_sigaction(signals[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
        before.sa_handler == SIG_DFL)
      upcr_sigaction(signals[i], &action, NULL);
  }
}

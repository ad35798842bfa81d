/* GASP 1.5 events around everything that an instrumented program does with the runtime. Only code
 * that was compiled for instrumentation refers to this file, so that nothing of it is in other
 * programs. The names begin with upcr_i_; a pointer-to-shared is handed to the tool as the address
 * of an upcr_pts. */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "gasp.h"
#include "gasp_upc.h"
#include "inst.h"
#include "inst_counts.h"
#include "runtime.h"

static gasp_context_t context;
/* A pthread that the program makes has no context of its own, and neither has a process that it
 * forks; what they do is not reported. */
static __thread int is_upc_thread;
/* Not 0 if one of them did something that would have been. In memory that forked processes share.
 */
unsigned long *upcr_i_elsewhere;
/* A tool's work in its own calls is not the program's. */
static __thread volatile int in_tool;
/* Value of in_tool where the thread must end, which it does with its next event. */
#define MUST_END 2
/* Value of in_tool where no tool wants the thread's events. */
#define UNMEASURED 3

/* Whether an event is to be reported; if so, leave_tool must follow. */
static inline int enter_tool(void) {
  if (!is_upc_thread || in_tool) {
    if (in_tool != MUST_END) return 0;
    in_tool = 0;
    upcr_leave();
  }
  in_tool = 1;
  return 1;
}
static inline void leave_tool(void) { in_tool = 0; }

static void note_elsewhere(void) {
  if (!is_upc_thread && upcr_i_elsewhere != NULL)
    __atomic_store_n(upcr_i_elsewhere, 1, __ATOMIC_RELAXED);
}

gasp_context_t upcr_i_enter_tool(void) {
  if (enter_tool()) return context;
  note_elsewhere();
  return NULL;
}
void upcr_i_leave_tool(void) { leave_tool(); }

#define NOTIFY(tag, type, file, line, ...)                                             \
  do {                                                                                 \
    if (enter_tool()) {                                                                \
      gasp_event_notify(context, tag, type, file, line, 0 __VA_OPT__(, ) __VA_ARGS__); \
      leave_tool();                                                                    \
    } else {                                                                           \
      note_elsewhere();                                                                \
    }                                                                                  \
  } while (0)
#define START(tag, ...) NOTIFY(tag, GASP_START, file, line __VA_OPT__(, ) __VA_ARGS__)
#define END(tag, ...) NOTIFY(tag, GASP_END, file, line __VA_OPT__(, ) __VA_ARGS__)
#define AT const char *file, int line

void upcr_event(unsigned int tag, gasp_evttype_t type, AT, ...) {
  if (!enter_tool()) {
    note_elsewhere();
    return;
  }
  va_list arguments;
  va_start(arguments, line);
  gasp_event_notifyVA(context, tag, type, file, line, 0, arguments);
  va_end(arguments);
  leave_tool();
}

/* ---- The program's begin and end ---- */

/* A tool may want to know the shared arrays, of which GASP says nothing. */
extern void pgas_declared_array(gasp_context_t, const char *name, const char *file, int line,
                                unsigned long address, unsigned long element_bytes,
                                unsigned long block, unsigned long elements) __attribute__((weak));
extern struct upcr_object *const __start_upcr_objects[] __attribute__((weak));
extern struct upcr_object *const __stop_upcr_objects[] __attribute__((weak));

static void declare_arrays(void) {
  if (!pgas_declared_array) return;
  for (struct upcr_object *const *p = __start_upcr_objects; p != __stop_upcr_objects; p++) {
    const struct upcr_object *object = *p;
    if (object == NULL || object->addr == 0) continue;
    unsigned long threads = object->per_thread ? (unsigned long)upcr_threads : 1;
    if (object->elements * threads > 1)
      pgas_declared_array(context, object->name, object->file, object->line,
                          object->addr & UPCR_OFFSET_MASK, object->elem_bytes, object->block,
                          object->elements * threads);
  }
}

/* A tool may want to know where functions end, of which GASP says nothing before they do. */
extern void pgas_declared_function(gasp_context_t, const char *name, const char *file, int line,
                                   int end_line, int is_last) __attribute__((weak));
extern upcr_function_site *const __start_upcr_functions[] __attribute__((weak));
extern upcr_function_site *const __stop_upcr_functions[] __attribute__((weak));

static void declare_functions(void) {
  if (!pgas_declared_function) return;
  for (upcr_function_site *const *p = __start_upcr_functions; p != __stop_upcr_functions; p++)
    pgas_declared_function(context, (*p)->upcr_name, (*p)->upcr_file, (*p)->upcr_line,
                           (*p)->upcr_end_line, p + 1 == __stop_upcr_functions);
}

/* Where no tool wants events, no function has any. */
static void rest_all_functions(void) {
  for (upcr_function_site *const *p = __start_upcr_functions; p != __stop_upcr_functions; p++)
    (*p)->upcr_rests = 1;
}

/* A tool may say that it wants no events at all: then calls of it cost nothing. */
extern int pgas_is_measured(gasp_context_t) __attribute__((weak));

static void keep_open_functions(void);

static void begin_as_child(void) {
  is_upc_thread = 0;
  upcr_counts_accesses = 0;
}

static void watch_elsewhere(void) {
  void *memory = mmap(NULL, sizeof *upcr_i_elsewhere, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) upcr_i_elsewhere = memory;
  pthread_atfork(NULL, NULL, begin_as_child);
}

static void start(int *argc, char ***argv) {
  in_tool = 1;
  keep_open_functions();
  watch_elsewhere();
  context = gasp_init(GASP_MODEL_UPC, argc, argv);
  declare_arrays();
  declare_functions();
  upcr_i_begin_counts(context);
  upcr_i_begin_flags();
  in_tool = pgas_is_measured && !pgas_is_measured(context) ? UNMEASURED : 0;
  if (in_tool == UNMEASURED) rest_all_functions();
  is_upc_thread = 1;
}

static const char final_barrier[] = "_FINAL_BARRIER";

/* Counts so far are of the call path that the thread is in now. */
static void report_counts(void) {
  if (!upcr_i_has_counts() || !enter_tool()) return;
  upcr_i_report_counts(context);
  leave_tool();
}

static void collective_exit_start(int status) {
  const char *file = final_barrier;
  int line = 0;
  report_counts();
  START(GASP_UPC_COLLECTIVE_EXIT, status);
  START(GASP_UPC_BARRIER, 0, 0);
}

static void collective_exit_finish(int status) {
  const char *file = final_barrier;
  int line = 0;
  END(GASP_UPC_BARRIER, 0, 0);
  END(GASP_UPC_COLLECTIVE_EXIT, status);
}

static int is_in_tool(void) { return in_tool == 1; }

/* Called by a signal handler of the thread. */
static void end_soon(void) {
  if ((in_tool == 0 || in_tool == UNMEASURED) && is_upc_thread) in_tool = MUST_END;
}

/* Not every tool has these. */
extern void pgas_tool_note_signal(int signal) __attribute__((weak));
extern void pgas_tool_collect(void) __attribute__((weak));

static void note_signal(int signal) {
  if (pgas_tool_note_signal != NULL) pgas_tool_note_signal(signal);
}

static void collect(void) {
  if (pgas_tool_collect != NULL) pgas_tool_collect();
}

const struct upcr_hooks upcr_instrumentation = {
    start,  collective_exit_start, collective_exit_finish, is_in_tool, end_soon, note_signal,
    collect};

extern void upc_global_exit(int status) __attribute__((noreturn));
void upcr_i_upc_global_exit(int status, AT) {
  report_counts();
  NOTIFY(GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, file, line, status);
  upc_global_exit(status);
}

/* ---- Functions of the program ---- */

/* Calls of functions are the most frequent events by far. A tool may have entries for them without
 * variable arguments, which cost about a quarter less; any other one gets the usual event. */
extern void pgas_function_start(gasp_context_t, const char *file, int line, const char *name)
    __attribute__((weak));
extern void pgas_function_end(gasp_context_t, const char *name) __attribute__((weak));
/* Mark of the open operations in a tool that has these functions, and the return to it, for
 * operations that are left by longjmp. */
extern void pgas_mark(gasp_context_t, long place[UPCR_PLACE]) __attribute__((weak));
extern void pgas_return(gasp_context_t, const long place[UPCR_PLACE]) __attribute__((weak));

/* Those that are open, for programs that leave functions by longjmp; beyond MOST_OPEN they are only
 * counted. */
#define MOST_OPEN (1 << 20)
static struct open_function {
  const char *name, *file;
  int line;
} *open_functions;
static int open_count;
extern const char upcr_jumps __attribute__((weak));

static void keep_open_functions(void) {
  if (&upcr_jumps == NULL) return;
  void *memory = mmap(NULL, MOST_OPEN * sizeof *open_functions, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) open_functions = memory;
}

/* Calls after which it is asked again whether a function may rest. */
#define CALLS_REVIEWED 4096

static void finish_function(const char *name, AT) {
  if (pgas_function_end) pgas_function_end(context, name);
  else gasp_event_notify(context, GASP_C_FUNC, GASP_END, file, line, 0, name);
}

void upcr_i_function_start(const upcr_function_site *site) {
  if (!enter_tool()) return;
  upcr_i_report_counts(context);
  if (open_functions != NULL) {
    if (open_count < MOST_OPEN)
      open_functions[open_count] =
          (struct open_function){site->upcr_name, site->upcr_file, site->upcr_line};
    open_count++;
  }
  if (pgas_function_start)
    pgas_function_start(context, site->upcr_file, site->upcr_line, site->upcr_name);
  else
    gasp_event_notify(context, GASP_C_FUNC, GASP_START, site->upcr_file, site->upcr_line, 0,
                      site->upcr_name);
  leave_tool();
}

void upcr_i_function_finish(upcr_function_site *site) {
  if (!enter_tool()) return;
  upcr_i_report_counts(context);
  if (open_count > 0) open_count--;
  finish_function(site->upcr_name, site->upcr_file, site->upcr_end_line);
  if (site->upcr_is_leaf && ++site->upcr_calls % CALLS_REVIEWED == 0)
    upcr_i_review_function(context, site);
  leave_tool();
}

upcr_mark_t upcr_i_mark(void) {
  upcr_mark_t mark = {.functions = open_count, .is_in_tool = in_tool == 1};
  if (enter_tool()) {
    if (pgas_mark) pgas_mark(context, mark.tool);
    leave_tool();
  }
  return mark;
}

void upcr_i_landed(const upcr_mark_t *mark) {
  /* A handler of signals has left the tool for good. (If setjmp was called by the handler itself,
   * the tool goes on below it.) */
  if (is_upc_thread && in_tool == 1 && !mark->is_in_tool) in_tool = 0;
  /* Other threads of the process have no part in it. */
  if (!enter_tool()) return;
  upcr_i_report_counts(context);
  upcr_i_abandon_flag_wait();
  while (open_count > mark->functions)
    if (--open_count < MOST_OPEN) {
      const struct open_function *left = &open_functions[open_count];
      finish_function(left->name, left->file, left->line);
    }
  if (pgas_return) pgas_return(context, mark->tool);
  leave_tool();
}

/* ---- Synchronisation; a notify is reported before the arrival can be seen by others ---- */

void upcr_i_notify(int named, int value, AT) {
  report_counts();
  START(GASP_UPC_NOTIFY, named, value);
  upcr_notify(named, value, file, line);
  END(GASP_UPC_NOTIFY, named, value);
}

void upcr_i_wait(int named, int value, AT) {
  report_counts();
  START(GASP_UPC_WAIT, named, value);
  upcr_wait(named, value, file, line);
  END(GASP_UPC_WAIT, named, value);
}

void upcr_i_barrier(int named, int value, AT) {
  report_counts();
  START(GASP_UPC_BARRIER, named, value);
  upcr_barrier(named, value, file, line);
  END(GASP_UPC_BARRIER, named, value);
}

void upcr_i_fence(AT) {
  START(GASP_UPC_FENCE);
  upcr_fence(file, line);
  END(GASP_UPC_FENCE);
}

/* ---- Accesses; the private side is a register, for which this stands ---- */

static char private_side[16];

void upcr_i_get_start(upcr_addr_t addr, unsigned long size, int strict, AT) {
  upcr_pts p = {addr, 0};
  START(GASP_UPC_GET, !strict, (void *)private_side, (void *)&p, (size_t)size);
}
void upcr_i_get_finish(upcr_addr_t addr, unsigned long size, int strict, AT) {
  upcr_pts p = {addr, 0};
  END(GASP_UPC_GET, !strict, (void *)private_side, (void *)&p, (size_t)size);
}
void upcr_i_put_start(upcr_addr_t addr, unsigned long size, int strict, AT) {
  upcr_pts p = {addr, 0};
  START(GASP_UPC_PUT, !strict, (void *)&p, (void *)private_side, (size_t)size);
}
void upcr_i_put_finish(upcr_addr_t addr, unsigned long size, int strict, AT) {
  upcr_pts p = {addr, 0};
  END(GASP_UPC_PUT, !strict, (void *)&p, (void *)private_side, (size_t)size);
}

/* ---- What all this costs ---- */

unsigned long upcr_i_own_accesses;

/* For a tool that measures what recording costs, before the program begins: `count` operations of a
 * kind as instrumented programs do them, from several sites, or the same as plain programs do it.
 * The context is handed over by the tool, since gasp_init has not returned yet. Nothing in shared
 * memory is touched. */
enum {
  PLAIN_FUNCTION,
  RECORDED_FUNCTION,
  PLAIN_ACCESS,
  RECORDED_ACCESS,
  PLAIN_OWN_ACCESS,
  CHECKED_OWN_ACCESS,
  REPEATED_FUNCTION,
  REPEATED_ACCESS,
  COUNTED_ACCESS
};
#define SITES 8 /* a power of two */

extern void upcr_rehearse(gasp_context_t, int what, long count);

static double rehearsed[64];
static upcr_addr_t rehearsed_at(int thread, long i) {
  return upcr_segment(thread) + (unsigned long)(i & 63) * sizeof(double);
}
#define REMOTE(i) rehearsed_at((upcr_mythread + 1) % upcr_threads, i)

/* `sites` is SITES, or 1 where one is called again and again. */
static __attribute__((noinline)) void rehearse_functions(long count, long sites) {
#define REHEARSED(name, line) {name, __FILE__, line, line, 0, 0, 0, NULL}
  static upcr_function_site functions[SITES] = {
      REHEARSED("a", 1), REHEARSED("b", 2), REHEARSED("c", 3), REHEARSED("d", 4),
      REHEARSED("e", 5), REHEARSED("f", 6), REHEARSED("g", 7), REHEARSED("h", 8)};
  for (long i = 0; i < count; i++) {
    upcr_function_site *site = &functions[i & (sites - 1)];
    upcr_i_function_start(site);
    ((volatile double *)rehearsed)[i & 63] = (double)i;
    upcr_i_function_finish(site);
  }
}

static __attribute__((noinline)) double rehearse_accesses(long count, long sites) {
  double sum = 0;
  for (long i = 0; i < count; i++) {
    upcr_addr_t at = REMOTE(i);
    int line = (int)(i & (sites - 1)) + 1;
    if (i & (sites - 1) & 2) {
      upcr_i_put_start(at, sizeof(double), 0, __FILE__, line);
      ((volatile double *)rehearsed)[i & 63] = (double)i;
      upcr_i_put_finish(at, sizeof(double), 0, __FILE__, line);
    } else {
      upcr_i_get_start(at, sizeof(double), 0, __FILE__, line);
      sum += ((volatile double *)rehearsed)[i & 63];
      upcr_i_get_finish(at, sizeof(double), 0, __FILE__, line);
    }
  }
  return sum;
}

static __attribute__((noinline)) double rehearse_plain(long count, int is_function) {
  double sum = 0;
  for (long i = 0; i < count; i++) {
    if (is_function || i & 2) ((volatile double *)rehearsed)[i & 63] = (double)i;
    else sum += ((volatile double *)rehearsed)[i & 63];
  }
  return sum;
}

static __attribute__((noinline)) double rehearse_counted(long count) {
  static unsigned long counts[2];
  double sum = 0;
  for (long i = 0; i < count; i++) {
    if (i & 2) ((volatile double *)rehearsed)[i & 63] = (double)i;
    else sum += ((volatile double *)rehearsed)[i & 63];
    upcr_count(counts, 0, (upcr_addr_t)(i & 1) << UPCR_SHIFT);
  }
  return sum;
}

static __attribute__((noinline)) void rehearse_plain_own(long count) {
  for (long i = 0; i < count; i++) rehearsed[i & 63] = rehearsed[(i + 1) & 63] + 1;
}

/* Two accesses of each iteration, as above. */
static __attribute__((noinline)) void rehearse_own(upcr_addr_t base, long count) {
  for (long i = 0; i < count; i++) {
    upcr_addr_t from = base + (unsigned long)((i + 1) & 63) * sizeof(double),
                to = base + (unsigned long)(i & 63) * sizeof(double);
    int is_get = 0, is_put = 0;
    if (upcr_thread_of(from) != upcr_mythread) {
      upcr_i_get_start(from, sizeof(double), 0, __FILE__, 1);
      is_get = 1;
    } else {
      upcr_i_own_accesses++;
    }
    double value = *(volatile double *)&rehearsed[(i + 1) & 63];
    if (is_get) upcr_i_get_finish(from, sizeof(double), 0, __FILE__, 1);
    if (upcr_thread_of(to) != upcr_mythread) {
      upcr_i_put_start(to, sizeof(double), 0, __FILE__, 2);
      is_put = 1;
    } else {
      upcr_i_own_accesses++;
    }
    *(volatile double *)&rehearsed[i & 63] = value + 1;
    if (is_put) upcr_i_put_finish(to, sizeof(double), 0, __FILE__, 2);
  }
}

void upcr_rehearse(gasp_context_t tool, int what, long count) {
  gasp_context_t before = context;
  int in_tool_before = in_tool, is_upc_thread_before = is_upc_thread;
  unsigned long own_before = upcr_i_own_accesses;
  context = tool;
  in_tool = 0;
  is_upc_thread = 1;
  switch (what) {
    case PLAIN_FUNCTION: rehearse_plain(count, 1); break;
    case PLAIN_ACCESS: rehearse_plain(count, 0); break;
    case RECORDED_FUNCTION:
    case REPEATED_FUNCTION:
    case RECORDED_ACCESS:
    case REPEATED_ACCESS: {
      /* As in programs, in a function. */
      long sites = what == RECORDED_FUNCTION || what == RECORDED_ACCESS ? SITES : 1;
      static upcr_function_site caller = REHEARSED("caller", 0);
      upcr_i_function_start(&caller);
      if (what == RECORDED_FUNCTION || what == REPEATED_FUNCTION) rehearse_functions(count, sites);
      else rehearse_accesses(count, sites);
      upcr_i_function_finish(&caller);
      break;
    }
    case COUNTED_ACCESS: rehearse_counted(count); break;
    case PLAIN_OWN_ACCESS: rehearse_plain_own(count / 2); break;
    case CHECKED_OWN_ACCESS: rehearse_own(upcr_segment(upcr_mythread), count / 2); break;
  }
  upcr_i_own_accesses = own_before;
  is_upc_thread = is_upc_thread_before;
  in_tool = in_tool_before;
  context = before;
}

/* ---- Allocation ---- */

extern upcr_pts upc_global_alloc(size_t blocks, size_t bytes),
    upc_all_alloc(size_t blocks, size_t bytes);
extern upcr_pts upc_alloc(size_t bytes), upc_local_alloc(size_t blocks, size_t bytes);
extern void upc_free(upcr_pts p), upc_all_free(upcr_pts p);

#define DISTRIBUTED(tag, name)                              \
  upcr_pts upcr_i_##name(size_t blocks, size_t bytes, AT) { \
    START(tag, blocks, bytes);                              \
    upcr_pts result = name(blocks, bytes);                  \
    END(tag, blocks, bytes, (void *)&result);               \
    return result;                                          \
  }
DISTRIBUTED(GASP_UPC_GLOBAL_ALLOC, upc_global_alloc)
DISTRIBUTED(GASP_UPC_ALL_ALLOC, upc_all_alloc)

upcr_pts upcr_i_upc_alloc(size_t bytes, AT) {
  START(GASP_UPC_ALLOC, bytes);
  upcr_pts result = upc_alloc(bytes);
  END(GASP_UPC_ALLOC, bytes, (void *)&result);
  return result;
}

upcr_pts upcr_i_upc_local_alloc(size_t blocks, size_t bytes, AT) {
  START(GASP_UPC_ALLOC, blocks * bytes);
  upcr_pts result = upc_local_alloc(blocks, bytes);
  END(GASP_UPC_ALLOC, blocks * bytes, (void *)&result);
  return result;
}

/* An operation that is not measured costs one test: the rest is in a function of its own, so that
 * nothing has to be kept for it. */
#define ON_POINTER(tag, name)                                             \
  static __attribute__((noinline)) void measured_##name(upcr_pts p, AT) { \
    START(tag, (void *)&p);                                               \
    name(p);                                                              \
    END(tag, (void *)&p);                                                 \
  }                                                                       \
  void upcr_i_##name(upcr_pts p, AT) {                                    \
    if (in_tool == UNMEASURED) name(p);                                   \
    else measured_##name(p, file, line);                                  \
  }
ON_POINTER(GASP_UPC_FREE, upc_free)
ON_POINTER(GASP_UPC_ALL_FREE, upc_all_free)

/* ---- Locks; LOCK ends after the lock is taken, UNLOCK starts before it is released ---- */

extern upcr_pts upc_global_lock_alloc(void), upc_all_lock_alloc(void);
extern void upc_lock(upcr_pts l), upc_unlock(upcr_pts l), upc_lock_free(upcr_pts l),
    upc_all_lock_free(upcr_pts l);
extern int upc_lock_attempt(upcr_pts l);

#define NEW_LOCK(tag, name)    \
  upcr_pts upcr_i_##name(AT) { \
    START(tag);                \
    upcr_pts result = name();  \
    END(tag, (void *)&result); \
    return result;             \
  }
NEW_LOCK(GASP_UPC_GLOBAL_LOCK_ALLOC, upc_global_lock_alloc)
NEW_LOCK(GASP_UPC_ALL_LOCK_ALLOC, upc_all_lock_alloc)
ON_POINTER(GASP_UPC_LOCK, upc_lock)
ON_POINTER(GASP_UPC_UNLOCK, upc_unlock)
ON_POINTER(GASP_UPC_LOCK_FREE, upc_lock_free)
ON_POINTER(GASP_UPC_ALL_LOCK_FREE, upc_all_lock_free)

int upcr_i_upc_lock_attempt(upcr_pts l, AT) {
  START(GASP_UPC_LOCK_ATTEMPT, (void *)&l);
  int taken = upc_lock_attempt(l);
  END(GASP_UPC_LOCK_ATTEMPT, (void *)&l, taken);
  return taken;
}

/* ---- Memory operations ---- */

extern void upc_memcpy(upcr_pts to, upcr_pts from, size_t n),
    upc_memget(void *to, upcr_pts from, size_t n);
extern void upc_memput(upcr_pts to, const void *from, size_t n),
    upc_memset(upcr_pts to, int c, size_t n);

void upcr_i_upc_memcpy(upcr_pts to, upcr_pts from, size_t n, AT) {
  START(GASP_UPC_MEMCPY, (void *)&to, (void *)&from, n);
  upc_memcpy(to, from, n);
  END(GASP_UPC_MEMCPY, (void *)&to, (void *)&from, n);
}
void upcr_i_upc_memget(void *to, upcr_pts from, size_t n, AT) {
  START(GASP_UPC_MEMGET, to, (void *)&from, n);
  upc_memget(to, from, n);
  END(GASP_UPC_MEMGET, to, (void *)&from, n);
}
void upcr_i_upc_memput(upcr_pts to, const void *from, size_t n, AT) {
  START(GASP_UPC_MEMPUT, (void *)&to, (void *)from, n);
  upc_memput(to, from, n);
  END(GASP_UPC_MEMPUT, (void *)&to, (void *)from, n);
}
void upcr_i_upc_memset(upcr_pts to, int c, size_t n, AT) {
  START(GASP_UPC_MEMSET, (void *)&to, c, n);
  upc_memset(to, c, n);
  END(GASP_UPC_MEMSET, (void *)&to, c, n);
}

/* ---- Collectives ---- */

#define RELOCALIZATION(tag, name)                                           \
  extern void name(upcr_pts to, upcr_pts from, size_t n, int flags);        \
  void upcr_i_##name(upcr_pts to, upcr_pts from, size_t n, int flags, AT) { \
    START(tag, (void *)&to, (void *)&from, n, flags);                       \
    name(to, from, n, flags);                                               \
    END(tag, (void *)&to, (void *)&from, n, flags);                         \
  }
RELOCALIZATION(GASP_UPC_ALL_BROADCAST, upc_all_broadcast)
RELOCALIZATION(GASP_UPC_ALL_SCATTER, upc_all_scatter)
RELOCALIZATION(GASP_UPC_ALL_GATHER, upc_all_gather)
RELOCALIZATION(GASP_UPC_ALL_GATHER_ALL, upc_all_gather_all)
RELOCALIZATION(GASP_UPC_ALL_EXCHANGE, upc_all_exchange)

extern void upc_all_permute(upcr_pts to, upcr_pts from, upcr_pts perm, size_t n, int flags);
void upcr_i_upc_all_permute(upcr_pts to, upcr_pts from, upcr_pts perm, size_t n, int flags, AT) {
  START(GASP_UPC_ALL_PERMUTE, (void *)&to, (void *)&from, (void *)&perm, n, flags);
  upc_all_permute(to, from, perm, n, flags);
  END(GASP_UPC_ALL_PERMUTE, (void *)&to, (void *)&from, (void *)&perm, n, flags);
}

#define COMPUTATION(tag, name, x, type)                                           \
  extern void name##x(upcr_pts to, upcr_pts from, int op, size_t n, size_t blk,   \
                      type (*f)(type, type), int flags);                          \
  void upcr_i_##name##x(upcr_pts to, upcr_pts from, int op, size_t n, size_t blk, \
                        type (*f)(type, type), int flags, AT) {                   \
    START(tag, (void *)&to, (void *)&from, op, n, blk, (void *)f, flags,          \
          (int)GASP_UPC_REDUCTION_##x);                                           \
    name##x(to, from, op, n, blk, f, flags);                                      \
    END(tag, (void *)&to, (void *)&from, op, n, blk, (void *)f, flags,            \
        (int)GASP_UPC_REDUCTION_##x);                                             \
  }
#define COMPUTATIONS(x, type)                               \
  COMPUTATION(GASP_UPC_ALL_REDUCE, upc_all_reduce, x, type) \
  COMPUTATION(GASP_UPC_ALL_PREFIX_REDUCE, upc_all_prefix_reduce, x, type)
COMPUTATIONS(C, signed char)
COMPUTATIONS(UC, unsigned char)
COMPUTATIONS(S, signed short)
COMPUTATIONS(US, unsigned short)
COMPUTATIONS(I, signed int)
COMPUTATIONS(UI, unsigned int)
COMPUTATIONS(L, signed long)
COMPUTATIONS(UL, unsigned long)
COMPUTATIONS(F, float)
COMPUTATIONS(D, double)
COMPUTATIONS(LD, long double)

/* ---- upc_io.h; the calls are in inst_io.c ---- */

void upcr_report_io(int is_end, const char *function, AT) {
  NOTIFY(GASP_UPC_IO, is_end ? GASP_END : GASP_START, file, line, function);
}

/* ---- pupc.h ---- */

int upcr_i_pupc_control(int on) {
  if (!enter_tool()) return 0;
  upcr_i_report_counts(context);
  int before = gasp_control(context, on);
  upcr_i_switch_counts(context);
  leave_tool();
  return before;
}

unsigned int upcr_i_pupc_create_event(const char *name, const char *description) {
  if (!enter_tool()) return 0;
  unsigned int event = gasp_create_event(context, name, description);
  leave_tool();
  return event;
}

/* A number that stands for something else would have other arguments. */
static unsigned int user_event(unsigned int event) {
  return event < GASP_UPC_USEREVT_START || event > GASP_UPC_USEREVT_END ? GASP_UPC_USEREVT_END
                                                                        : event;
}

#define USER_EVENT(type, file, line)                                                       \
  do {                                                                                     \
    if (!enter_tool()) return;                                                             \
    upcr_i_report_counts(context);                                                         \
    va_list arguments;                                                                     \
    va_start(arguments, event);                                                            \
    gasp_event_notifyVA(context, user_event(event), (gasp_evttype_t)(type), file, line, 0, \
                        arguments);                                                        \
    va_end(arguments);                                                                     \
    leave_tool();                                                                          \
  } while (0)

void upcr_i_pupc_event(int type, const char *file, int line, unsigned int event, ...) {
  USER_EVENT(type, file, line);
}
void upcr_i_pupc_event_start(unsigned int event, ...) { USER_EVENT(GASP_START, NULL, 0); }
void upcr_i_pupc_event_end(unsigned int event, ...) { USER_EVENT(GASP_END, NULL, 0); }
void upcr_i_pupc_event_atomic(unsigned int event, ...) { USER_EVENT(GASP_ATOMIC, NULL, 0); }

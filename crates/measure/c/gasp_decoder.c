/* Decodes GASP 1.5 events for the recorder.
 *
 * Implementations of UPC number their events differently, so this file is compiled when a program
 * is linked, against the gasp.h and gasp_upc.h of the compiler at hand; every event that those do
 * not define is left out (gasp_decoder_table.h). Answers that only UPC code has (who calls, what a
 * pointer-to-shared points to) come from pgas_upc_query.h (gasp_decoder_thread.h); where the
 * compiler has no upc_types.h for plain C, also the encoding of synchronisation modes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <gasp.h>
#include <gasp_upc.h>

#include "call_recorder.h"
#include "gasp_decoder_table.h"
#include "gasp_decoder_thread.h"
#include "pgas_measure.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* Stand in when there is no memory: the first for one thread, the second for all others, which
 * record nothing. (Some runtimes take a null context for an error.) */
static struct _gasp_context_S in_reserve, without_memory;
static int reserve_is_taken;

static struct _gasp_context_S *new_context(gasp_model_t model) {
  struct _gasp_context_S *context = calloc(1, sizeof *context);
  if (context) return context;
  if (!__atomic_exchange_n(&reserve_is_taken, 1, __ATOMIC_ACQ_REL)) return &in_reserve;
  if (model == GASP_MODEL_UPC) pgas_no_memory("a thread is not recorded");
  return &without_memory;
}

/* Both are the embedded runtime's: operations as instrumented and as plain programs do them, and
 * the number of accesses to own data that were not reported. */
extern void upcr_rehearse(gasp_context_t, int what, long count) __attribute__((weak));
extern unsigned long upcr_i_own_accesses __attribute__((weak));
/* So is this: where it is noted that something was done outside of the UPC thread. */
extern unsigned long *upcr_i_elsewhere __attribute__((weak));

/* With other runtimes: what reaches the tool, and nothing of what the compiler does around it. */
static void rehearse_events(gasp_context_t context, int what, long count) {
  static const char *const names[] = {"a", "b", "c", "d"};
  static char private_side[8];
  int is_function = what == PGAS_REHEARSE_FUNCTION || what == PGAS_REHEARSE_REPEATED_FUNCTION;
  int is_access = what == PGAS_REHEARSE_ACCESS || what == PGAS_REHEARSE_REPEATED_ACCESS;
  long sites = what == PGAS_REHEARSE_FUNCTION || what == PGAS_REHEARSE_ACCESS ? 4 : 1;
  if (!is_function && !is_access) return;
#ifdef GASP_C_FUNC
  gasp_event_notify(context, GASP_C_FUNC, GASP_START, __FILE__, 0, 0, "caller");
#endif
  for (long i = 0; i < count; i++) {
    int site = (int)(i % sites);
    (void)site;
#ifdef GASP_C_FUNC
    if (is_function) {
      gasp_event_notify(context, GASP_C_FUNC, GASP_START, __FILE__, site + 1, 0, names[site]);
      gasp_event_notify(context, GASP_C_FUNC, GASP_END, __FILE__, site + 1, 0, names[site]);
    }
#endif
#ifdef GASP_UPC_GET
    if (is_access) {
      gasp_event_notify(context, GASP_UPC_GET, GASP_START, __FILE__, site + 1, 0, 1,
                        (void *)private_side, NULL, sizeof private_side);
      gasp_event_notify(context, GASP_UPC_GET, GASP_END, __FILE__, site + 1, 0, 1,
                        (void *)private_side, NULL, sizeof private_side);
    }
#endif
  }
#ifdef GASP_C_FUNC
  gasp_event_notify(context, GASP_C_FUNC, GASP_END, __FILE__, 0, 0, "caller");
#endif
  (void)context, (void)what, (void)names, (void)private_side;
}

static void rehearse(void *argument, pgas_recorder *recorder, int what, long count) {
  struct _gasp_context_S *context = argument;
  context->recorder = recorder;
  if (upcr_rehearse) upcr_rehearse(context, what, count);
  else rehearse_events(context, what, count);
  context->recorder = NULL;
}

/* For the runtime of the embedded compiler, which knows more of the end of a program than the
 * interface has words for. */
void pgas_tool_note_signal(int signal);
void pgas_tool_note_signal(int signal) { pgas_note_signal(signal); }
void pgas_tool_collect(void);
void pgas_tool_collect(void) { pgas_collect(); }

/* Calls of MPI in the program itself. */
__thread pgas_recorder *pgas_call_recorder;
int pgas_call_thread, pgas_call_threads;

static void begin_calls(const struct _gasp_context_S *context) {
  pgas_call_thread = context->thread;
  pgas_call_threads = context->threads;
  if (pgas_mpi_learn_threads) pgas_mpi_learn_threads();
  pgas_call_recorder = context->recorder;
}

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {
  (void)argc, (void)argv;
  struct _gasp_context_S *context = new_context(model);
  if (context == &without_memory) return context;
  context->threads = 1;
  if (model == GASP_MODEL_UPC) {
    context->thread = pgas_upc_mythread();
    context->threads = pgas_upc_threads();
#ifdef GASP_BUPC_STATIC_SHARED
    pgas_name_runtime("berkeley");
#endif
    const unsigned long *elsewhere = &upcr_i_elsewhere ? upcr_i_elsewhere : NULL;
    const pgas_rehearsal rehearsal = {context, rehearse, &upcr_i_own_accesses, elsewhere};
    context->recorder = pgas_open_rehearsed(context->thread, context->threads, &rehearsal);
    context->addresses = pgas_wants_addresses(context->recorder);
    context->until_sample = 1;
    if (pgas_upc_read_cell && pgas_upc_write_cell) context->rounds = context->threads > 1 ? 2 : 0;
    own_context = context;
    begin_calls(context);
  }
  return context;
}

/* ---- Collective operations: whose data moves ---- */

static int is_root_at_source(int region) {
  return region == PGAS_BROADCAST || region == PGAS_SCATTER;
}
static int is_root_at_destination(int region) {
  return region == PGAS_GATHER || region == PGAS_REDUCE;
}

static size_t element_size(int type) {
  switch (type) {
    case GASP_UPC_REDUCTION_C:
    case GASP_UPC_REDUCTION_UC: return sizeof(char);
    case GASP_UPC_REDUCTION_S:
    case GASP_UPC_REDUCTION_US: return sizeof(short);
    case GASP_UPC_REDUCTION_I:
    case GASP_UPC_REDUCTION_UI: return sizeof(int);
    case GASP_UPC_REDUCTION_L:
    case GASP_UPC_REDUCTION_UL: return sizeof(long);
    case GASP_UPC_REDUCTION_F: return sizeof(float);
    case GASP_UPC_REDUCTION_D: return sizeof(double);
    case GASP_UPC_REDUCTION_LD: return sizeof(long double);
  }
  return 0;
}

/* `bytes` go from one thread to one other. */
static void leave_collective(struct _gasp_context_S *context, int region, const void *destination,
                             const void *source, uint64_t bytes, int flags) {
  uint64_t others = context->threads - 1;
  int root = -1;
  uint64_t sent, received;
  if (is_root_at_source(region)) {
    root = thread_of(context, source);
    sent = root == context->thread ? bytes * others : 0;
    received = root == context->thread ? 0 : bytes;
  } else if (is_root_at_destination(region)) {
    root = thread_of(context, destination);
    sent = root == context->thread ? 0 : bytes;
    received = root == context->thread ? bytes * others : 0;
  } else if (region == PGAS_PERMUTE) {
    sent = received = others ? bytes : 0;
  } else if (region == PGAS_PREFIX_REDUCE) {
    sent = context->thread < context->threads - 1 ? bytes : 0;
    received = context->thread > 0 ? bytes : 0;
  } else {
    sent = received = bytes * others;
  }
  pgas_exit_collective(context->recorder, region, root, sent, received, sync_in(flags),
                       sync_out(flags));
}

static void exit_collective(struct _gasp_context_S *context, int region, enum shape shape,
                            va_list arguments) {
  const void *destination = va_arg(arguments, const void *);
  const void *source = va_arg(arguments, const void *);
  uint64_t bytes; /* from one thread to one other */
  int flags;
  if (shape == REDUCTION) {
    (void)va_arg(arguments, int);    /* operation */
    (void)va_arg(arguments, size_t); /* elements */
    (void)va_arg(arguments, size_t); /* block size */
    (void)va_arg(arguments, void *); /* function */
    flags = va_arg(arguments, int);
    bytes = element_size(va_arg(arguments, int)); /* a thread passes on one partial result */
  } else {
    if (shape == PERMUTATION) (void)va_arg(arguments, const void *);
    bytes = va_arg(arguments, size_t);
    flags = va_arg(arguments, int);
  }
  leave_collective(context, region, destination, source, bytes, flags);
}

/* ---- Events ---- */

/* Whether a thread waits for a write to this, by the embedded runtime. */
extern int pgas_upc_is_awaited(const void *pts, unsigned long bytes) __attribute__((weak));
static inline int is_awaited(const void *pts, size_t bytes) {
  return pgas_upc_is_awaited && pgas_upc_is_awaited(pts, bytes);
}

static inline void enter_unsampled(struct _gasp_context_S *context, int region, const char *file,
                                   int line, int partner, const void *pts, size_t bytes,
                                   int has_address) {
  if (LIKELY(!has_address))
    pgas_enter_transfer(context->recorder, region, file, line, partner, bytes);
  else
    pgas_enter_transfer_at(context->recorder, region, file, line, partner, address_of(context, pts),
                           bytes);
}

static __attribute__((noinline)) void enter_sampled(struct _gasp_context_S *context, int region,
                                                    const char *file, int line, int partner,
                                                    const void *pts, size_t bytes,
                                                    int has_address) {
  enter_unsampled(context, region, file, line, partner, pts, bytes, has_address);
  context->until_sample = pgas_sample(context->recorder, partner, address_of(context, pts), bytes,
                                      context->period, context->locks > 0);
}

/* In all but the sampled transfers, nothing has to be kept until the recorder returns. */
static inline void enter_transfer(struct _gasp_context_S *context, int region, const char *file,
                                  int line, const void *pts, size_t bytes, int has_address) {
  int partner = thread_of(context, pts);
  if (LIKELY(--context->until_sample))
    enter_unsampled(context, region, file, line, partner, pts, bytes, has_address);
  else enter_sampled(context, region, file, line, partner, pts, bytes, has_address);
}

static inline void enter_read(struct _gasp_context_S *context, int region, const char *file,
                              int line, const void *pts, size_t bytes) {
  enter_transfer(context, region, file, line, pts, bytes, context->addresses);
}

/* A write that may end another thread's wait for a flag has its address in any case: it shows which
 * wait that is. */
static inline void enter_write(struct _gasp_context_S *context, int region, const char *file,
                               int line, const void *pts, size_t bytes) {
  enter_transfer(context, region, file, line, pts, bytes,
                 context->addresses || is_awaited(pts, bytes));
}

/* A lock was taken, or is about to be released. */
static void note_lock(struct _gasp_context_S *context, int more) {
  context->period++;
  context->locks += more;
  if (context->locks < 0) context->locks = 0;
}

static void enter_copy(struct _gasp_context_S *context, int region, const char *file, int line,
                       const void *to, const void *from, size_t bytes) {
  int destination = thread_of(context, to), source = thread_of(context, from);
  if (context->addresses || is_awaited(to, bytes))
    pgas_enter_copy_at(context->recorder, region, file, line, source, address_of(context, from),
                       destination, address_of(context, to), bytes);
  else pgas_enter_copy(context->recorder, region, file, line, source, destination, bytes);
}

static void enter(struct _gasp_context_S *context, int region, enum shape shape, const char *file,
                  int line, va_list arguments) {
  pgas_recorder *recorder = context->recorder;
  switch (shape) {
    case FUNCTION:
      pgas_enter(recorder, region, file, line, name_of(va_arg(arguments, const char *)));
      break;
    case BARRIER: {
      int named = va_arg(arguments, int);
      int value = va_arg(arguments, int);
      pgas_enter_barrier(recorder, region, file, line, named, value);
      break;
    }
    case RESIZE: (void)va_arg(arguments, void *); /* fall through */
    case SIZE:
      pgas_enter_allocation(recorder, region, file, line, va_arg(arguments, size_t));
      break;
    case BLOCKS: {
      uint64_t blocks = va_arg(arguments, size_t);
      uint64_t bytes = va_arg(arguments, size_t);
      pgas_enter_allocation(recorder, region, file, line, blocks * bytes);
      break;
    }
    case LOCK: {
      uint64_t lock = lock_of(context, va_arg(arguments, const void *));
      if (region == PGAS_UNLOCK) note_lock(context, -1);
      pgas_enter_lock(recorder, region, file, line, lock);
      break;
    }
    case ACCESS_GET: (void)va_arg(arguments, int); /* fall through */
    case GET: {
      (void)va_arg(arguments, void *);
      const void *pts = va_arg(arguments, const void *);
      enter_read(context, region, file, line, pts, va_arg(arguments, size_t));
      break;
    }
    case ACCESS_PUT: (void)va_arg(arguments, int); /* fall through */
    case PUT: {
      const void *pts = va_arg(arguments, const void *);
      (void)va_arg(arguments, void *);
      enter_write(context, region, file, line, pts, va_arg(arguments, size_t));
      break;
    }
    case SET: {
      const void *pts = va_arg(arguments, const void *);
      (void)va_arg(arguments, int);
      enter_write(context, region, file, line, pts, va_arg(arguments, size_t));
      break;
    }
    case COPY: {
      const void *to = va_arg(arguments, const void *);
      const void *from = va_arg(arguments, const void *);
      enter_copy(context, region, file, line, to, from, va_arg(arguments, size_t));
      break;
    }
    case FLAG: {
      const void *pts = va_arg(arguments, const void *);
      uint64_t bytes = va_arg(arguments, size_t);
      pgas_enter_transfer_at(recorder, region, file, line, thread_of(context, pts),
                             address_of(context, pts), bytes);
      break;
    }
    case OBJECT: {
      uint64_t object = lock_of(context, va_arg(arguments, const void *));
      pgas_enter_object(recorder, region, file, line, object, va_arg(arguments, size_t));
      break;
    }
    case END_OF_PROGRAM:
      pgas_enter_end(recorder, region, file, line, va_arg(arguments, int));
      break;
    case PLAIN:
    case RELOCALIZATION:
    case PERMUTATION:
    case REDUCTION: pgas_enter(recorder, region, file, line, NULL); break;
  }
}

/* Memory in blocks that the threads own in turn, from thread 0 on. */
static void allocated(struct _gasp_context_S *context, const char *file, int line, const void *pts,
                      uint64_t blocks, uint64_t bytes) {
  if (!pts || bytes == 0 || blocks == 0 || blocks > UINT64_MAX / bytes ||
      thread_of(context, pts) != 0)
    return;
  uint64_t address = address_of(context, pts);
  if (address)
    pgas_shared_array(context->recorder, NULL, file, line, address, 1, bytes, blocks * bytes);
}

/* An array that the program declares, for a runtime that tells which there are: the embedded one
 * does. */
void pgas_declared_array(gasp_context_t context, const char *name, const char *file, int line,
                         unsigned long address, unsigned long element_bytes, unsigned long block,
                         unsigned long elements) {
  if (context && context->thread == 0)
    pgas_shared_array(context->recorder, name, file, line, address, element_bytes, block, elements);
}

/* Where functions begin and end, of the embedded runtime. One thread is enough. */
void pgas_declared_function(gasp_context_t context, const char *name, const char *file, int line,
                            int end_line, int is_last) {
  if (context && context->thread == 0)
    pgas_function_lines(context->recorder, name, file, line, end_line, is_last);
}

/* Accesses that the program counts by itself, of the embedded runtime. */
void pgas_counted_accesses(gasp_context_t context, int is_put, const char *file, int line,
                           int thread, unsigned long accesses, unsigned long bytes) {
  if (context && !context->busy)
    pgas_count_accesses(context->recorder, is_put ? PGAS_PUT : PGAS_GET, file, line, thread,
                        accesses, bytes);
}

unsigned pgas_sampled_access(gasp_context_t context, int is_put, const char *file, int line,
                             int thread, unsigned long address, unsigned long bytes) {
  if (!context || context->busy) return 1 << 16;
  return pgas_sample_counted(context->recorder, is_put ? PGAS_PUT : PGAS_GET, file, line, thread,
                             address, bytes, context->period, context->locks > 0);
}

unsigned pgas_next_sample(gasp_context_t context) {
  return context ? pgas_next_sample_of(context->recorder) : ~0u;
}

/* Counted accesses that wait for another node, as the runtime numbers them (inst_far.c). */
static int waiting_region(int kind) {
  static const int regions[] = {PGAS_REMOTE_GET, PGAS_REMOTE_PUT, PGAS_FENCE};
  return regions[kind];
}
void pgas_waiting_begins(gasp_context_t context, int kind, const char *file, int line, int thread,
                         unsigned long address, unsigned long bytes) {
  if (!context || context->busy) return;
  int region = waiting_region(kind);
  if (region == PGAS_FENCE) {
    pgas_enter(context->recorder, region, file, line, NULL);
  } else if (region == PGAS_REMOTE_PUT) {
    /* Another thread may wait for it. */
    pgas_enter_transfer_at(context->recorder, region, file, line, thread, address, bytes);
  } else {
    pgas_enter_transfer(context->recorder, region, file, line, thread, bytes);
  }
}
void pgas_waiting_ends(gasp_context_t context, int kind) {
  if (context && !context->busy) pgas_exit(context->recorder, waiting_region(kind), NULL);
}

void pgas_counted_calls(gasp_context_t context, const char *name, const char *file, int line,
                        unsigned long calls) {
  if (context && !context->busy) pgas_count_calls(context->recorder, name, file, line, calls);
}

int pgas_may_rest(gasp_context_t context, const char *name, const char *file, int line) {
  return context && !context->busy && pgas_is_short_leaf(context->recorder, name, file, line);
}

/* Where threads may be on several nodes, they compare clocks with those that are recorded. */
int pgas_is_measured(gasp_context_t context) {
  return context && (context->recorder || context->rounds > 0);
}

int pgas_takes_counts(gasp_context_t context) {
  return context && pgas_is_recording(context->recorder);
}

#ifdef GASP_BUPC_STATIC_SHARED
/* Berkeley UPC tells each thread of the arrays that the program declares, before it begins. */
static void declared(struct _gasp_context_S *context, va_list arguments) {
  uint64_t blocks = va_arg(arguments, size_t), bytes = va_arg(arguments, size_t);
  const void *pts = va_arg(arguments, const void *);
  (void)va_arg(arguments, void *); /* the symbol */
  uint64_t element = va_arg(arguments, size_t);
  const char *name = va_arg(arguments, const char *);
  if (context->thread != 0 || !context->recorder || !pts || element == 0 || bytes < element ||
      blocks == 0 || blocks > UINT64_MAX / bytes || thread_of(context, pts) != 0)
    return;
  uint64_t address = address_of(context, pts);
  /* One block is on one thread. */
  if (address)
    pgas_shared_array(context->recorder, name, NULL, 0, address, element,
                      blocks > 1 ? bytes / element : 0, blocks * bytes / element);
}
#endif

static void leave(struct _gasp_context_S *context, int region, enum shape shape, const char *file,
                  int line, va_list arguments) {
  pgas_recorder *recorder = context->recorder;
  switch (shape) {
    case FUNCTION: pgas_exit(recorder, region, name_of(va_arg(arguments, const char *))); break;
    case RELOCALIZATION:
    case PERMUTATION:
    case REDUCTION: exit_collective(context, region, shape, arguments); break;
    case LOCK:
      if (region == PGAS_LOCK_ATTEMPT) {
        (void)va_arg(arguments, const void *);
        int acquired = va_arg(arguments, int);
        if (acquired) note_lock(context, 1);
        pgas_exit_lock_attempt(recorder, acquired);
        break;
      }
      if (region == PGAS_LOCK) note_lock(context, 1);
      pgas_exit(recorder, region, NULL);
      break;
    case BLOCKS: {
      pgas_exit(recorder, region, NULL);
      uint64_t blocks = va_arg(arguments, size_t);
      uint64_t bytes = va_arg(arguments, size_t);
      allocated(context, file, line, va_arg(arguments, const void *), blocks, bytes);
      break;
    }
    default: pgas_exit(recorder, region, NULL);
  }
}

static void user_event(struct _gasp_context_S *context, unsigned tag, gasp_evttype_t type,
                       const char *file, int line, va_list arguments) {
  unsigned number = tag - GASP_UPC_USEREVT_START;
  if (type != GASP_END)
    pgas_enter(context->recorder, PGAS_USER_REGION, file, line,
               user_begin(&context->user, number, arguments));
  if (type != GASP_START)
    pgas_exit(context->recorder, PGAS_USER_REGION, user_end(&context->user, number));
}

/* ---- Operations inside of operations ---- */

static void begin_operation(struct _gasp_context_S *context, unsigned tag) {
  if (context->busy & IN_OPERATION) return;
  context->busy |= IN_OPERATION;
  context->operation = tag;
  context->again = context->functions = 0;
}

static void end_operation(struct _gasp_context_S *context) {
  context->busy &= ~IN_OPERATION;
  context->in_collective = 0;
}

/* Whether the program's own code cannot run in it, but for functions that it was given: a loop has
 * the program's code in it, and so have the functions that run at the end of a program. A single
 * access consists of nothing else. */
static inline int is_closed(int region, enum shape shape) {
  return region != PGAS_FORALL && shape != FUNCTION && shape != END_OF_PROGRAM &&
         shape != ACCESS_GET && shape != ACCESS_PUT;
}

/* Whether an event inside of an operation is the program's, or the end of the operation. */
static __attribute__((noinline, cold)) int
is_programs(struct _gasp_context_S *context, unsigned tag, gasp_evttype_t type, enum shape shape) {
  if (shape == END_OF_PROGRAM) {
    end_operation(context);
    return 1;
  }
  if (shape == FUNCTION) {
    if (type == GASP_START) context->functions++;
    /* One that was entered before the operation: a jump has left both. */
    else if (type == GASP_END && --context->functions < 0) end_operation(context);
    return 1;
  }
  if (context->functions > 0) return 1;
  if (tag != context->operation) return 0;
  if (type == GASP_START) context->again++;
  else if (type == GASP_END && context->again-- == 0) {
    end_operation(context);
    return 1;
  }
  return 0;
}

void gasp_event_notifyVA(gasp_context_t context, unsigned tag, gasp_evttype_t type,
                         const char *file, int line, int column, va_list arguments) {
  (void)column;
  if (!context || context->busy & IN_UPCALL) return;
  /* A thread that is not recorded still answers when others compare their clocks. */
  if (!context->recorder && context->round >= context->rounds) return;
  int region;
  enum shape shape;
  if (!classify(tag, &region, &shape)) {
    if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END)
      user_event(context, tag, type, file, line, arguments);
#ifdef GASP_BUPC_STATIC_SHARED
    else if (tag == GASP_BUPC_STATIC_SHARED) declared(context, arguments);
#endif
    return;
  }
  if (context->busy && !is_programs(context, tag, type, shape)) return;
  if (type == GASP_START) {
    if (shape == END_OF_PROGRAM) context->at_end = 1;
    enter(context, region, shape, file, line, arguments);
    if (is_closed(region, shape)) begin_operation(context, tag);
    return;
  }
  if (type == GASP_ATOMIC) {
    va_list again;
    va_copy(again, arguments);
    enter(context, region, shape, file, line, again);
    va_end(again);
  }
  leave(context, region, shape, file, line, arguments);
  if (shape == BARRIER || region == PGAS_FENCE || shape == RELOCALIZATION || shape == PERMUTATION ||
      shape == REDUCTION)
    context->period++;
  if (shape == BARRIER || region == PGAS_COLLECTIVE_EXIT) compare_clocks_after(context, region);
  /* After a collective exit all threads are still there; after the other one this is the last
   * chance. */
  if (shape == END_OF_PROGRAM) {
    pgas_call_recorder = NULL;
    pgas_finish(context->recorder);
  }
}

/* Start and end of a collective operation of a runtime that does not report them: the program's
 * calls go through a file of the tool, which is compiled by the UPC compiler and calls these.
 * `bytes` go from one thread to one other. */
void pgas_collective_start(int region, const char *file, int line) {
  struct _gasp_context_S *context = own_context;
  if (context && !(context->busy & IN_UPCALL) && context->in_collective++ == 0) {
    pgas_enter(context->recorder, region, file, line, NULL);
    begin_operation(context, NO_EVENT);
  }
}

void pgas_collective_end(int region, const void *destination, const void *source, size_t bytes,
                         int flags) {
  struct _gasp_context_S *context = own_context;
  if (context && !(context->busy & IN_UPCALL) && context->in_collective > 0 &&
      --context->in_collective == 0) {
    end_operation(context);
    leave_collective(context, region, destination, source, bytes, flags);
  }
}

/* Start and end of a function, for a runtime that knows these entries: the embedded one does. */
void pgas_function_start(gasp_context_t context, const char *file, int line, const char *name) {
  if (LIKELY(context && !context->busy))
    pgas_enter(context->recorder, PGAS_FUNCTION, file, line, name);
  else if (context && !(context->busy & IN_UPCALL)) {
    is_programs(context, NO_EVENT, GASP_START, FUNCTION);
    pgas_enter(context->recorder, PGAS_FUNCTION, file, line, name);
  }
}

void pgas_function_end(gasp_context_t context, const char *name) {
  if (LIKELY(context && !context->busy)) pgas_exit(context->recorder, PGAS_FUNCTION, name);
  else if (context && !(context->busy & IN_UPCALL)) {
    is_programs(context, NO_EVENT, GASP_END, FUNCTION);
    pgas_exit(context->recorder, PGAS_FUNCTION, name);
  }
}

/* Functions of other languages, and of C that the UPC compiler has not seen, where their compilers
 * report them. */
static pgas_recorder *recorder_of_function(gasp_evttype_t type) {
  struct _gasp_context_S *context = own_context;
  if (!LIKELY(context) || context->busy & IN_UPCALL) return NULL;
  if (context->busy) is_programs(context, NO_EVENT, type, FUNCTION);
  return context->recorder;
}
#define RECORDER_AT(is_start) recorder_of_function(is_start ? GASP_START : GASP_END)
#define IS_KNOWN(function) 0
#include "function_hooks.h"

/* Around setjmp, for a runtime that knows these entries: the embedded one does. Regions left by
 * longjmp report no end; and an operation that seems to go on would take all that follows for its
 * own. */
void pgas_mark(gasp_context_t context, long place[4]) {
  if (!context) return;
  place[0] = (long)pgas_open_regions(context->recorder);
  place[1] = context->busy;
  place[2] = context->in_collective;
  place[3] = context->functions;
}

void pgas_return(gasp_context_t context, const long place[4]) {
  if (!context) return;
  context->busy = (int)place[1];
  context->in_collective = (int)place[2];
  context->functions = (int)place[3];
  pgas_return_to(context->recorder, (size_t)place[0]);
}

void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file,
                       int line, int column, ...) {
  va_list arguments;
  va_start(arguments, column);
#ifdef GASP_C_FUNC
  /* Calls of functions are the most frequent events by far. */
  if (LIKELY(tag == GASP_C_FUNC && context && type != GASP_ATOMIC && !context->busy)) {
    const char *name = name_of(va_arg(arguments, const char *));
    if (type == GASP_START) pgas_function_start(context, file, line, name);
    else pgas_function_end(context, name);
    va_end(arguments);
    return;
  }
#endif
  gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
  va_end(arguments);
}

int gasp_control(gasp_context_t context, int on) {
  return context ? pgas_control(context->recorder, on) : 0;
}

unsigned gasp_create_event(gasp_context_t context, const char *name, const char *description) {
  if (!context || context == &without_memory) return GASP_UPC_USEREVT_START;
  return GASP_UPC_USEREVT_START + user_create(&context->user, name, description);
}

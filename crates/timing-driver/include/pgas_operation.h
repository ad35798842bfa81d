/* An operation to be timed: the functions that prepare it, perform it, check its result and clean
   up. `pgastool time` times the operations of its own drivers by this interface, and files of
   yours. All threads call the same functions in the same order. */
#ifndef PGAS_OPERATION_H
#define PGAS_OPERATION_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One set of arguments. It lives until `finish` has returned. */
typedef struct pgas_case {
  int thread;       /* number of this thread, from 0 */
  int threads;      /* number of all threads */
  const int *nodes; /* node of each thread, numbered from 0 */
  size_t bytes;     /* size that was asked for; 0 if the operation has none */
  int buffers;      /* number of buffers to rotate through; launch l uses buffer l % buffers */
  void *driver;     /* for the functions below */
} pgas_case;

/* An argument by name, as a number and as text; `otherwise` if it was not given. */
long pgas_argument(const pgas_case *of, const char *name, long otherwise);
const char *pgas_argument_text(const pgas_case *of, const char *name, const char *otherwise);

/* Index of an argument's value among those that the operation declares for it: 0, the first one,
   if the argument was not given. */
int pgas_argument_choice(const pgas_case *of, const char *name);

/* Says that one launch performs the operation `count` times, one after another, since one time is
   shorter than a reading of the clock. Times are divided by it. For `prepare`, on all threads. */
void pgas_repeats(const pgas_case *of, long count);

/* Tells the driver why an operation cannot be prepared or why its result is wrong; the text is
   copied. The reasons of all threads are reported, the same reason once. */
void pgas_complain_text(const pgas_case *of, const char *reason);

__attribute__((format(printf, 2, 3))) static inline void pgas_complain(const pgas_case *of,
                                                                       const char *format, ...) {
  char reason[512];
  va_list values;
  va_start(values, format);
  vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  pgas_complain_text(of, reason);
}

/* Functions that are NULL are not called, except `run`, which each operation has, and `start` and
   `complete`, which take its place together in operations that go on in the background. */
typedef struct pgas_operation {
  const char *name;
  const char *help; /* one line: meaning of the operation and of its arguments */
  /* Arguments and their values: "in=all|my|no root=N partner=near|far|N". N is a number
     and TEXT anything. The driver refuses other names and values before `prepare`. NULL: no
     arguments. */
  const char *arguments;
  int sized;       /* whether it has a size in bytes */
  int independent; /* whether threads do not wait for each other in it */
  /* Memory, connections, contents of buffers. Returns the operation's own state, or NULL after
     pgas_complain; the case fails if one thread does, and `finish` is not called then on any. */
  void *(*prepare)(const pgas_case *with);
  /* Before a launch, not timed: for operations that use something up. */
  void (*ready)(void *state, long launch);
  /* The operation: this is timed. */
  void (*run)(void *state, long launch);
  /* After a launch, not timed. */
  void (*done)(void *state, long launch);
  /* The two halves of an operation that goes on while the thread computes. */
  void (*start)(void *state, long launch);
  void (*complete)(void *state, long launch);
  /* After a launch that all threads have ended, once for each case: 0 if the result of that
     launch is right, otherwise something else, after pgas_complain. */
  int (*check)(void *state, long launch);
  void (*finish)(void *state);
} pgas_operation;

/* Makes an operation of one's own known, once in its file, after its functions:

       PGAS_OPERATION(.name = "halo", .help = "exchange with both neighbours", .sized = 1,
                      .prepare = prepare, .run = run, .check = check, .finish = finish)

   Members that are not named are 0 or NULL. */
#define PGAS_OPERATION(...)                                \
  const pgas_operation *pgas_own_operation(void) {         \
    static const pgas_operation operation = {__VA_ARGS__}; \
    return &operation;                                     \
  }

/* The operation of the file that was given, NULL without one. */
const pgas_operation *pgas_own_operation(void);

#ifdef __cplusplus
}
#endif
#endif

/* An operation to be timed: the functions that prepare it, perform it, check its result and clean
   up. `pgastool time` times the operations of its own drivers by this interface, and files of
   yours. All threads call the same functions in the same order. */
#ifndef PGAS_OPERATION_H
#define PGAS_OPERATION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One set of arguments. */
typedef struct pgas_case {
    int thread;   /* number of this thread, from 0 */
    int threads;  /* number of all threads */
    size_t bytes; /* size that was asked for; 0 if the operation has none */
    int buffers;  /* number of buffers to rotate through; launch l uses buffer l % buffers */
    const void *arguments; /* for the two functions below */
} pgas_case;

/* An argument by name, as a number and as text; `otherwise` if it was not given. */
long pgas_argument(const pgas_case *of, const char *name, long otherwise);
const char *pgas_argument_text(const pgas_case *of, const char *name, const char *otherwise);

/* Tells the driver why an operation cannot be prepared or why its result is wrong; the text is
   copied. Thread 0 reports the first of all threads. */
void pgas_complain(const pgas_case *of, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Functions that are NULL are not called, except `run`, which each operation has, and `start` and
   `complete`, which take its place together in operations that go on in the background. */
typedef struct pgas_operation {
    const char *name;
    const char *help; /* one line: meaning of the operation and of its arguments */
    /* Memory, connections, contents of buffers. Returns the operation's own state, or NULL after
       pgas_complain. */
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
    /* After a launch, once for each case: 0 if the result of that launch is right, otherwise
       something else, after pgas_complain. */
    int (*check)(void *state, long launch);
    void (*finish)(void *state);
} pgas_operation;

#ifdef __cplusplus
}
#endif
#endif

/* How a driver of one programming model calls the method of timing: it says how threads exchange
   messages and which operations there are, and hands over its command line. */
#ifndef PGAS_TIMING_H
#define PGAS_TIMING_H

#include "pgas_operation.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of one message at most. */
#define PGAS_MESSAGE_WORDS 64

/* What the model can do. Nothing here is called while an operation is timed. */
typedef struct pgas_transport {
  void *context; /* first argument of the functions below */
  int thread;
  int threads;
  /* What the model knows of nodes: threads with different numbers count as on different ones,
     also on one host. 0 everywhere: hosts are nodes. */
  int node;
  const char *model;          /* "UPC", "MPI", "OpenSHMEM" */
  const char *implementation; /* version of the library or compiler, as it names itself */
  /* Sends 1 to PGAS_MESSAGE_WORDS words. Returns when they may be changed. In order for each
     pair of threads. All threads may send to one at once, and two to each other. */
  void (*send)(void *context, int to, const uint64_t *words, int count);
  /* Waits for the next message of a thread, which has as many words. Lets others have the core
     now and then, since there may be more threads than cores. */
  void (*receive)(void *context, int from, uint64_t *words, int count);
  void (*barrier)(void *context);
  /* The model's own clock, in seconds; NULL if it has none. */
  double (*clock)(void *context);
  /* Ends all threads with a status. Does not return. */
  void (*end)(void *context, int status);
} pgas_transport;

/* Times what the job says. Arguments of the program: the file of the job, and the file for the
   records; thread 0 alone opens them. Returns the status of the program, the same on all threads.
   `families` are tables of operations; each ends with NULL, and so does their list. `own` is
   pgas_own_operation(). With the single argument --list it prints the operations. */
int pgas_time(const pgas_transport *through, const pgas_operation *const *const *families,
              const pgas_operation *own, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif

/* Arguments of operations: numbers within bounds, and the other thread of operations on two. A
   value that does not fit is complained of. */
#ifndef PGAS_ARGUMENTS_H
#define PGAS_ARGUMENTS_H

#include <stdlib.h>
#include <string.h>

#include "pgas_operation.h"

/* The argument's value if it is from `least` to `most`; -1 after a complaint. */
static inline long number_argument(const pgas_case *of, const char *name, long otherwise,
                                   long least, long most) {
  long value = pgas_argument(of, name, otherwise);
  if (value >= least && value <= most) return value;
  pgas_complain(of, "argument %s is %ld; it may be from %ld to %ld", name, value, least, most);
  return -1;
}

/* The lowest thread other than 0 that is on thread 0's node, or on another; -1 if there is none. */
static inline int other_thread(const pgas_case *of, int on_same_node) {
  for (int thread = 1; thread < of->threads; thread++)
    if ((of->nodes[thread] == of->nodes[0]) == on_same_node) return thread;
  return -1;
}

/* Thread that thread 0 works with, by the argument `partner`; -1 after a complaint. `own`, which is
   thread 0 itself, is for operations that one thread performs alone. */
static inline int partner_argument(const pgas_case *of, const char *otherwise, int least) {
  const char *word = pgas_argument_text(of, "partner", otherwise);
  int near = !strcmp(word, "near");
  if (!strcmp(word, "own")) return 0;
  if (!near && strcmp(word, "far"))
    return (int)number_argument(of, "partner", 0, least, of->threads - 1);
  int partner = other_thread(of, near);
  if (partner < 0)
    pgas_complain(of, "partner=%s: there is no other thread on %s", word,
                  near ? "the node of thread 0" : "another node than thread 0");
  return partner;
}

#endif

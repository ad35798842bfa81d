/* Information that processes exchange when they start. */
#ifndef UPCR_START_H
#define UPCR_START_H

#include "network.h"

#define UPCR_MOST_CORES 1024
struct upcr_introduction {
  int process;         /* its number on its machine */
  int control, memory; /* files of the node's first process */
  struct upcr_doorbell doorbell;
  unsigned long cores[UPCR_MOST_CORES / 64]; /* that it may use */
};

/* A file in memory without a name, -1 with errno. */
UPCR_HIDDEN int upcr_make_file(const char *name);
/* Maps the control block, and finds the memory for segments. Returns an errno. */
UPCR_HIDDEN int upcr_map_control(const struct upcr_introduction *first_of_node);
UPCR_HIDDEN void upcr_close_memory(void);

#endif

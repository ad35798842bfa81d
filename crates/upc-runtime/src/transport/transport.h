/* Messages between the processes of a program on several nodes: what the runtime needs of MPI, and
 * the only part of it that is compiled against the MPI at hand. No type of MPI's is in it, so the
 * rest of the runtime is the same for all. A process is known by its UPC thread's number; those of
 * a node have consecutive ones. Only one pthread at a time may call these functions. */
#ifndef UPCR_TRANSPORT_H
#define UPCR_TRANSPORT_H

#include <stddef.h>

/* The processes that the launcher has started. */
struct upcr_world {
  int threads;      /* processes in all */
  int mythread;     /* of this one */
  int node_first;   /* first thread of this node */
  int node_threads; /* of this node */
  int nodes;
  int node;           /* number of this node, in the order of threads */
  int *first_of_node; /* nodes + 1 numbers: the first thread of each, then `threads` */
  /* Threads on this machine, which may play several nodes. */
  int machine_first;
  int machine_threads;
  char library[256];   /* name and version of the MPI library */
  int has_all_threads; /* any pthread may call MPI at any time: the program's own calls as well */
};

/* An operation under way; all zeros when there is none. */
typedef struct {
  unsigned long bits;
} upcr_request;

/* Starts MPI and settles which process is which thread. The first process's `node_size` makes a
 * node of every so many processes, 0 takes the machine's. Returns null, or why it cannot be done.
 */
const char *upcr_transport_start(struct upcr_world *world, int node_size);
/* Waits for all processes and ends MPI. */
void upcr_transport_finish(void);
/* Ends all processes at once with this status. */
void upcr_transport_abort(int status) __attribute__((noreturn));

/* Every process gives `bytes` bytes and gets those of all, in the order of threads. */
void upcr_transport_gather_all(const void *mine, void *all, size_t bytes);

#define UPCR_ANY_THREAD (-1)
/* Both return at once; the memory must stay until the request is complete. */
upcr_request upcr_transport_send(int thread, int tag, const void *from, size_t bytes);
upcr_request upcr_transport_receive(int thread, int tag, void *to, size_t bytes);
/* Whether it is complete, and then who sent it and how much; `thread` and `bytes` may be null. */
int upcr_transport_test(upcr_request *request, int *thread, size_t *bytes);
/* Gives a receive up that nothing will come for. */
void upcr_transport_cancel(upcr_request *request);

/* Exposes this memory to one-sided operations of all processes. Collective. Returns null, or the
 * reason why this process cannot. */
const char *upcr_transport_expose(void *memory, size_t bytes);
/* Both return at once; the request is complete when the local buffer may be used. */
upcr_request upcr_transport_read(int thread, void *to, size_t offset, size_t bytes);
upcr_request upcr_transport_write(int thread, const void *from, size_t offset, size_t bytes);
/* Waits until what was written to the memory of a thread is there. */
void upcr_transport_complete_writes(int thread);

#endif

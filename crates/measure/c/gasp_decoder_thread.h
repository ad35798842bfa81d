/* Part of gasp_decoder.c: the state of a thread, and the questions that only the UPC side can
 * answer: where data is, what synchronisation modes mean, what time it is on other nodes. */
#ifndef PGAS_GASP_DECODER_THREAD_H
#define PGAS_GASP_DECODER_THREAD_H

#include <stdarg.h>
#include <stdint.h>

#include <gasp.h>
#include <gasp_upc.h>

#include "pgas_measure.h"

#ifndef __has_include
#define __has_include(file) 0
#endif
#if __has_include(<upc_types.h>)
#include <upc_types.h>
#endif

extern int pgas_upc_mythread(void);
extern int pgas_upc_threads(void);
extern int pgas_upc_threadof(const void *pts);
extern unsigned long pgas_upc_addrfield(const void *pts);
/* Missing where all threads are on one node whatever happens, as with the embedded runtime. */
extern uint64_t pgas_upc_read_cell(int thread, int cell) __attribute__((weak));
extern void pgas_upc_write_cell(int thread, int cell, uint64_t value) __attribute__((weak));

#ifdef UPC_IN_NOSYNC
static int sync_in(int flags) {
  return flags & UPC_IN_NOSYNC ? PGAS_NOSYNC : flags & UPC_IN_MYSYNC ? PGAS_MYSYNC : PGAS_ALLSYNC;
}
static int sync_out(int flags) {
  return flags & UPC_OUT_NOSYNC ? PGAS_NOSYNC : flags & UPC_OUT_MYSYNC ? PGAS_MYSYNC : PGAS_ALLSYNC;
}
#else
extern int pgas_upc_sync_in(int flags), pgas_upc_sync_out(int flags);
#define sync_in pgas_upc_sync_in
#define sync_out pgas_upc_sync_out
#endif

#ifndef GASP_UPC_USEREVT_START
#define GASP_UPC_USEREVT_START 1000
#endif
#ifndef GASP_UPC_USEREVT_END
#define GASP_UPC_USEREVT_END (GASP_UPC_USEREVT_START + 899)
#endif

#include "user_events.h"

/* The UPC side is being asked something. */
#define IN_UPCALL 1
/* The runtime performs an operation, perhaps by others, with messages and barriers. Those belong to
 * it. */
#define IN_OPERATION 2
/* Stands for the event where the tool itself reports the operation. */
#define NO_EVENT (~0u)

struct _gasp_context_S {
  pgas_recorder *recorder; /* null: nothing is recorded */
  int thread, threads;
  /* IN_UPCALL, IN_OPERATION; in both the runtime reports what is none of the program's. */
  int busy;
  /* The operation that the thread is in: its event, how often it has begun again inside of itself,
   * and how many functions of the program are open in it. */
  unsigned operation;
  int again, functions;
  /* Comparisons of clocks: the next one, of all that there are. */
  int round, rounds;
  int at_end;    /* the program has begun to end */
  int addresses; /* transfers are to have addresses */
  /* Samples of transfers: how many transfers later the next one is, how often the thread has
   * synchronised, its locks. */
  uint32_t until_sample, period;
  int locks;
  /* Collective operations that the program's own calls report, one inside of the other. */
  int in_collective;
  struct user_events user;
};

/* That of the thread, for calls that come from no runtime and so bring none. */
static __thread struct _gasp_context_S *own_context;

/* ---- Questions to the UPC side ---- */

static int thread_of(struct _gasp_context_S *context, const void *pts) {
  context->busy |= IN_UPCALL;
  int thread = pts ? pgas_upc_threadof(pts) : 0;
  context->busy &= ~IN_UPCALL;
  return thread;
}

/* Where a pointer-to-shared points to within its thread's shared memory, as far as UPC tells: the
 * same on every thread with the runtimes that are known. 0 is none. */
static uint64_t address_of(struct _gasp_context_S *context, const void *pts) {
  context->busy |= IN_UPCALL;
  uint64_t address = pts ? pgas_upc_addrfield(pts) : 0;
  context->busy &= ~IN_UPCALL;
  return address;
}

/* The same number on every thread: the address within a segment, and whose segment. */
static uint64_t lock_of(struct _gasp_context_S *context, const void *pts) {
  context->busy |= IN_UPCALL;
  uint64_t lock =
      pts ? (uint64_t)pgas_upc_addrfield(pts) << 16 | (pgas_upc_threadof(pts) & 0xffff) : 0;
  context->busy &= ~IN_UPCALL;
  return lock;
}

/* ---- Clocks of nodes ---- */

/* All threads have just left the same barrier. */
static void compare_clocks(struct _gasp_context_S *context, int round) {
  const pgas_cells cells = {pgas_upc_read_cell, pgas_upc_write_cell};
  context->busy |= IN_UPCALL;
  int go_on =
      pgas_compare_clocks(context->recorder, context->thread, context->threads, round, &cells);
  context->busy &= ~IN_UPCALL;
  context->round = go_on ? round + 1 : context->rounds;
}

/* The first barrier shows that shared memory can be used and that all threads are there; so does
 * the end of the program, at which there is one comparison, whether it is the first or the second.
 */
static void compare_clocks_after(struct _gasp_context_S *context, int region) {
  if (context->round >= context->rounds) return;
  if (region == PGAS_COLLECTIVE_EXIT) {
    compare_clocks(context, 1);
  } else if ((region == PGAS_BARRIER || region == PGAS_WAIT) && context->round == 0 &&
             !context->at_end) {
    compare_clocks(context, 0);
  }
}

#endif

/* GASP 1.5 for UPC: numbers of the events, as Berkeley UPC has them, and types of their arguments.
 * Events that Berkeley UPC lacks have numbers that it leaves free. Plain C. */
#ifndef GASP_UPC_H
#define GASP_UPC_H

#include <gasp.h>
#include <stddef.h>

/* The version of UPC that the events are of. */
#define GASP_UPC_VERSION 20060914

/* Numbers that gasp_create_event may give to events of the program. */
#define GASP_UPC_USEREVT_START 100
#define GASP_UPC_USEREVT_END 999

/* ---- Allocation ---- */
#define GASP_UPC_ALLOC 1000        /* size_t nbytes; END: PTS *result */
#define GASP_UPC_GLOBAL_ALLOC 1001 /* size_t nblocks, size_t nbytes; END: PTS *result */
#define GASP_UPC_ALL_ALLOC 1002    /* likewise */
#define GASP_UPC_FREE 1003         /* PTS *ptr */
#define GASP_UPC_ALL_FREE 1004     /* PTS *ptr */

/* ---- Locks; the argument is a PTS * ---- */
#define GASP_UPC_GLOBAL_LOCK_ALLOC 1010 /* none; END: lock */
#define GASP_UPC_ALL_LOCK_ALLOC 1011    /* none; END: lock */
#define GASP_UPC_LOCK_FREE 1012
#define GASP_UPC_LOCK_ATTEMPT 1013 /* END: int taken */
#define GASP_UPC_LOCK 1014
#define GASP_UPC_UNLOCK 1015
#define GASP_UPC_ALL_LOCK_FREE 1016

/* ---- Memory operations: destination, source (MEMSET: int value), size_t nbytes ---- */
#define GASP_UPC_MEMGET 1030 /* void *, PTS * */
#define GASP_UPC_MEMPUT 1031 /* PTS *, void * */
#define GASP_UPC_MEMCPY 1032 /* PTS *, PTS * */
#define GASP_UPC_MEMSET 1033 /* PTS *, int */

/* ---- Synchronisation ---- */
#define GASP_UPC_NOTIFY 1100  /* int named, int value */
#define GASP_UPC_WAIT 1101    /* int named, int value */
#define GASP_UPC_BARRIER 1102 /* int named, int value */
#define GASP_UPC_FENCE 1103

/* ---- Accesses: int is_relaxed, destination, source, size_t nbytes ---- */
#define GASP_UPC_PUT 1110 /* PTS *, void * */
#define GASP_UPC_GET 1111 /* void *, PTS * */
#define GASP_UPC_NB_GET_INIT 1120
#define GASP_UPC_NB_PUT_INIT 1121
#define GASP_UPC_NB_SYNC 1122

/* ---- End of the program: int status ---- */
#define GASP_UPC_COLLECTIVE_EXIT 1210
#define GASP_UPC_NONCOLLECTIVE_EXIT 1211

/* ---- Collective operations: PTS *dst, PTS *src, size_t nbytes, int flags ---- */
#define GASP_UPC_ALL_BROADCAST 1300
#define GASP_UPC_ALL_SCATTER 1310
#define GASP_UPC_ALL_GATHER 1320
#define GASP_UPC_ALL_GATHER_ALL 1330
#define GASP_UPC_ALL_EXCHANGE 1340
#define GASP_UPC_ALL_PERMUTE 1350 /* PTS *dst, PTS *src, PTS *perm, size_t nbytes, int flags */
/* PTS *dst, PTS *src, int op, size_t nelems, size_t blk_size, void *func, int flags,
 * gasp_upc_reduction_t type */
#define GASP_UPC_ALL_REDUCE 1400
#define GASP_UPC_ALL_PREFIX_REDUCE 1410

/* ---- Functions of upc_io.h, which GASP 1.5 does not know: const char *function ---- */
#define GASP_UPC_IO 1500

/* ---- Synchronisation of some threads, likewise ---- */
#define GASP_UPC_FLAG_WAIT 1510  /* loop that waits for a write to: PTS *, size_t nbytes */
#define GASP_UPC_EVENT_WAIT 1511 /* semaphore: PTS *, size_t units */
#define GASP_UPC_POST 1512       /* likewise */
#define GASP_UPC_ATOMIC 1513     /* as GASP_UPC_PUT */

/* Type of a reduction's elements. */
typedef enum {
  GASP_UPC_REDUCTION_C,
  GASP_UPC_REDUCTION_UC,
  GASP_UPC_REDUCTION_S,
  GASP_UPC_REDUCTION_US,
  GASP_UPC_REDUCTION_I,
  GASP_UPC_REDUCTION_UI,
  GASP_UPC_REDUCTION_L,
  GASP_UPC_REDUCTION_UL,
  GASP_UPC_REDUCTION_F,
  GASP_UPC_REDUCTION_D,
  GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

/* The arguments above named "PTS *" and those for locks point to one of these. Ask pgas_upc_query.h
 * about it. */
#ifdef __UPC__
typedef shared void *gasp_upc_PTS_t;
#else
typedef struct {
  unsigned long upcr_opaque[2];
} gasp_upc_PTS_t;
#endif
typedef gasp_upc_PTS_t gasp_upc_lock_t;

#endif

/* Collective operations of a group of PEs: a team, or an active set. Only those of all PEs are
 * searched for waits; those of some are regions of which the name alone is recorded. */
#ifndef PGAS_SHMEM_GROUP_H
#define PGAS_SHMEM_GROUP_H

#include "shmem_wrapper.h"

/* The data that goes from this PE to each other one and back, as far as this PE knows. */
struct traffic {
  int root; /* -1: none */
  uint64_t sent, received;
};

static inline struct traffic no_traffic(void) {
  struct traffic none = {-1, 0, 0};
  return none;
}

/* Every PE sends `bytes` to every other one. */
static inline struct traffic to_all(uint64_t bytes) {
  uint64_t sum = bytes * (uint64_t)(pgas_shmem.n_pes - 1);
  struct traffic traffic = {-1, sum, sum};
  return traffic;
}

static inline struct traffic from_root(int root, uint64_t bytes) {
  int is_root = root == pgas_shmem.my_pe;
  struct traffic traffic = {root, is_root ? bytes * (uint64_t)(pgas_shmem.n_pes - 1) : 0,
                            is_root ? 0 : bytes};
  return traffic;
}

/* `call` has the kind of region for an operation of all PEs; it is changed if it is one of some. */
static inline void enter_group(pgas_recorder *recorder, pgas_call *call, int is_of_all) {
  if (!is_of_all) call->region = PGAS_GROUP_COLLECTIVE;
  if (call->region == PGAS_BARRIER) pgas_enter_call_barrier(recorder, call);
  else pgas_enter_call(recorder, call);
}

/* A PE may begin when its own data is ready, and leave when its own part is done. */
static inline void exit_group(pgas_recorder *recorder, const pgas_call *call,
                              struct traffic traffic) {
  if (call->region == PGAS_BARRIER || call->region == PGAS_GROUP_COLLECTIVE)
    pgas_exit_call(recorder, call);
  else
    pgas_exit_call_collective(recorder, call, traffic.root, traffic.sent, traffic.received,
                              PGAS_MYSYNC, PGAS_MYSYNC);
}

/* The body of a wrapper; KEEP_RESULT and RETURN are for functions that have a result. */
#define GROUP_CALL(name, region, arguments, is_of_all, traffic, KEEP_RESULT, RETURN) \
  {                                                                                  \
    pgas_call call = THIS_CALL(region, name);                                        \
    pgas_recorder *recorder = begin_call();                                          \
    if (LIKELY(recorder)) enter_group(recorder, &call, is_of_all);                   \
    KEEP_RESULT CALL(name) arguments;                                                \
    if (LIKELY(recorder)) exit_group(recorder, &call, traffic);                      \
    end_call(recorder);                                                              \
    RETURN                                                                           \
  }

#endif

/* Collective operations of a group of PEs: a team, or an active set. One that all PEs belong to is
 * all PEs. */
#ifndef PGAS_SHMEM_GROUP_H
#define PGAS_SHMEM_GROUP_H

#include "group_identity.h"
#include "shmem_wrapper.h"

struct group {
  uint64_t identity;
  uint32_t members;
};

static inline struct group all_pes(void) {
  struct group group = {0, (uint32_t)pgas_shmem.n_pes};
  return group;
}

/* PEs from `start`, every (1 << log_stride)-th. */
static inline struct group active_set(int start, int log_stride, int size) {
  uint64_t identity = identity_with(identity_with(0, (uint64_t)start), (uint64_t)log_stride);
  struct group group = {identity_with(identity, (uint64_t)size), (uint32_t)size};
  return group;
}

/* The data that goes from this PE to each other member and back, as far as this PE knows. */
struct traffic {
  int root; /* among all PEs; -1: none */
  uint64_t sent, received;
};

static inline struct traffic no_traffic(void) {
  struct traffic none = {-1, 0, 0};
  return none;
}

/* Every member sends `bytes` to every other one. */
static inline struct traffic to_all(struct group group, uint64_t bytes) {
  uint64_t sum = bytes * (group.members - 1);
  struct traffic traffic = {-1, sum, sum};
  return traffic;
}

static inline struct traffic from_root(struct group group, int root, uint64_t bytes) {
  int is_root = root == pgas_shmem.my_pe;
  struct traffic traffic = {root, is_root ? bytes * (group.members - 1) : 0, is_root ? 0 : bytes};
  return traffic;
}

/* Who waits for whom in an operation that has this kind of region where it is one of all PEs. */
static inline int flow_of(int region) {
  switch (region) {
    case PGAS_BARRIER:
    case PGAS_GATHER_ALL:
    case PGAS_EXCHANGE: return PGAS_FLOW_ALL;
    case PGAS_BROADCAST: return PGAS_FLOW_FROM_ROOT;
    default: return PGAS_FLOW_UNKNOWN;
  }
}

/* `call` has the kind of region for an operation of all PEs; it is changed if it is one of some. */
static inline void enter_group(pgas_recorder *recorder, pgas_call *call, struct group group,
                               int root) {
  int flow = flow_of(call->region);
  if (group.members != (uint32_t)pgas_shmem.n_pes) call->region = PGAS_GROUP_COLLECTIVE;
  if (call->region == PGAS_BARRIER) pgas_enter_call_barrier(recorder, call);
  else if (call->region == PGAS_GROUP_COLLECTIVE)
    pgas_enter_call_group(recorder, call, group.identity, group.members, flow, root);
  else pgas_enter_call(recorder, call);
}

/* A PE may begin when its own data is ready, and leave when its own part is done. */
static inline void exit_group(pgas_recorder *recorder, const pgas_call *call,
                              struct traffic traffic) {
  if (call->region == PGAS_BARRIER) pgas_exit_call(recorder, call);
  else
    pgas_exit_call_collective(recorder, call, traffic.root, traffic.sent, traffic.received,
                              PGAS_MYSYNC, PGAS_MYSYNC);
}

/* The body of a wrapper. GROUP and TRAFFIC are expressions, the second of which may use `group`;
 * KEEP_RESULT and RETURN are for functions that have a result. */
#define GROUP_CALL(name, region, arguments, GROUP, TRAFFIC, KEEP_RESULT, RETURN) \
  {                                                                              \
    pgas_call call = THIS_CALL(region, name);                                    \
    pgas_recorder *recorder = begin_call();                                      \
    struct traffic traffic = {0};                                                \
    if (LIKELY(recorder)) {                                                      \
      const struct group group = GROUP;                                          \
      traffic = TRAFFIC;                                                         \
      enter_group(recorder, &call, group, traffic.root);                         \
    }                                                                            \
    KEEP_RESULT CALL(name) arguments;                                            \
    if (LIKELY(recorder)) exit_group(recorder, &call, traffic);                  \
    end_call(recorder);                                                          \
    RETURN                                                                       \
  }

#endif

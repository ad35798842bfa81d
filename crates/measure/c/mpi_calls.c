/* MPI: messages, collective operations, and regions of which the name alone is known. */
#include <string.h>

#include "mpi_groups.h"
#include "mpi_wrapper.h"

uint64_t pgas_mpi_bytes(int64_t count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL) return 0;
  PMPI_Type_size_x(type, &size);
  return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

void pgas_mpi_enter_region(struct pgas_mpi_call *call, int region) {
  call->call.region = region;
  pgas_enter_call(call->recorder, &call->call);
}

void pgas_mpi_enter_plain(struct pgas_mpi_call *call) {
  static const char files[] = "MPI_File_";
  int is_of_files = strncmp(call->call.name, files, sizeof files - 1) == 0;
  pgas_mpi_enter_region(call, is_of_files ? PGAS_INPUT_OUTPUT : PGAS_LIBRARY_CALL);
}

/* ---- Messages ---- */

/* Messages with MPI_PROC_NULL do not exist: such a call has no partner, bytes and group. */
void pgas_mpi_enter_message(struct pgas_mpi_call *call, int region, uint64_t bytes, int partner,
                            MPI_Comm comm) {
  if (partner == MPI_PROC_NULL) {
    pgas_mpi_enter_region(call, region);
    return;
  }
  const struct pgas_mpi_group *group = pgas_mpi_group_of(comm);
  call->call.region = region;
  pgas_enter_call_message(call->recorder, &call->call, pgas_mpi_thread_of(group, partner), bytes,
                          group ? group->id : 0);
}

/* A message that was found before: by whom it was sent, and in which group, is not known. */
void pgas_mpi_enter_matched(struct pgas_mpi_call *call, uint64_t bytes) {
  call->call.region = PGAS_RECEIVE;
  pgas_enter_call_message(call->recorder, &call->call, -1, bytes, 0);
}

void pgas_mpi_exit_received(struct pgas_mpi_call *call, int succeeded, const MPI_Status *status,
                            MPI_Comm comm) {
  const struct pgas_mpi_group *group = pgas_mpi_group_of(comm);
  if (!succeeded || status->MPI_SOURCE == MPI_PROC_NULL) {
    pgas_mpi_exit(call);
    return;
  }
  MPI_Count count = 0;
  PMPI_Get_elements_x((MPI_Status *)status, MPI_BYTE, &count);
  pgas_exit_call_message(call->recorder, &call->call, pgas_mpi_thread_of(group, status->MPI_SOURCE),
                         count > 0 ? (uint64_t)count : 0, group ? group->id : 0);
}

/* ---- Collective operations ---- */

int pgas_mpi_ranks(const struct pgas_mpi_call *call) { return call->group->ranks; }
int pgas_mpi_rank(const struct pgas_mpi_call *call) { return call->group->rank; }

static void enter_some(struct pgas_mpi_call *call, int flow) {
  call->call.region = PGAS_GROUP_COLLECTIVE;
  pgas_enter_call_group(call->recorder, &call->call, call->group->id, (uint32_t)call->group->ranks,
                        flow, call->root);
}

static void enter_all(struct pgas_mpi_call *call, int region) {
  call->call.region = region;
  if (region == PGAS_BARRIER) pgas_enter_call_barrier(call->recorder, &call->call);
  else pgas_enter_call(call->recorder, &call->call);
}

/* A process alone waits for nobody, unless it is the whole program. */
int pgas_mpi_enter_group(struct pgas_mpi_call *call, const struct pgas_mpi_group *group, int region,
                         int flow, int root) {
  if (!group || !group->is_known || (group->ranks == 1 && !group->is_all)) {
    pgas_mpi_enter_plain(call);
    return 0;
  }
  call->group = group;
  call->is_root = root == group->rank;
  call->root = pgas_mpi_thread_of(group, root);
  if (group->is_all && region != PGAS_GROUP_COLLECTIVE) enter_all(call, region);
  else enter_some(call, flow);
  return 1;
}

int pgas_mpi_enter_collective(struct pgas_mpi_call *call, MPI_Comm comm, int region, int flow,
                              int root) {
  return pgas_mpi_enter_group(call, pgas_mpi_group_of(comm), region, flow, root);
}

/* Waiting for those before in the order of ranks is known where that is the order of threads. */
int pgas_mpi_enter_scan(struct pgas_mpi_call *call, MPI_Comm comm) {
  const struct pgas_mpi_group *group = pgas_mpi_group_of(comm);
  int is_in_order = group && group->is_in_order;
  int region = is_in_order ? PGAS_PREFIX_REDUCE : PGAS_GROUP_COLLECTIVE;
  return pgas_mpi_enter_group(call, group, region, PGAS_FLOW_UNKNOWN, -1);
}

/* A process may begin when its own data is ready, and leave when its own part is done. */
void pgas_mpi_exit_collective(struct pgas_mpi_call *call) {
  if (!call->group || call->call.region == PGAS_BARRIER) pgas_mpi_exit(call);
  else
    pgas_exit_call_collective(call->recorder, &call->call, call->root, call->sent, call->received,
                              PGAS_MYSYNC, PGAS_MYSYNC);
}

/* What each function of MPI becomes, by its name. ENTER_f and EXIT_f take the arguments of f in
 * their order; `call` is the call, `result` at the exit what f has returned. A function with no
 * ENTER_ is a region by its name. Functions with large counts (MPI_Send_c) have the rows of those
 * without. */
#ifndef PGAS_MPI_TABLE_H
#define PGAS_MPI_TABLE_H

#include "mpi_wrapper.h"

#define BYTES(count, type) pgas_mpi_bytes(count, type)
#define SUCCEEDED (result == MPI_SUCCESS)

/* ---- Messages ---- */

#define ENTER_MPI_Send(buffer, count, type, to, tag, comm) \
  pgas_mpi_enter_message(&call, PGAS_SEND, BYTES(count, type), to, comm);
#define ENTER_MPI_Bsend ENTER_MPI_Send
#define ENTER_MPI_Ssend ENTER_MPI_Send
#define ENTER_MPI_Rsend ENTER_MPI_Send
#define ENTER_MPI_Isend(buffer, count, type, to, tag, comm, request) \
  ENTER_MPI_Send(buffer, count, type, to, tag, comm)
#define ENTER_MPI_Ibsend ENTER_MPI_Isend
#define ENTER_MPI_Issend ENTER_MPI_Isend
#define ENTER_MPI_Irsend ENTER_MPI_Isend

/* A status is always asked for: it says what was received. */
#define ASK_FOR(status)    \
  MPI_Status asked_status; \
  if (status == MPI_STATUS_IGNORE) status = &asked_status;

#define ENTER_MPI_Recv(buffer, count, type, from, tag, comm, status) \
  ASK_FOR(status)                                                    \
  pgas_mpi_enter_message(&call, PGAS_RECEIVE, BYTES(count, type), from, comm);
#define EXIT_MPI_Recv(buffer, count, type, from, tag, comm, status) \
  pgas_mpi_exit_received(&call, SUCCEEDED, status, comm);
#define ENTER_MPI_Irecv(buffer, count, type, from, tag, comm, request) \
  pgas_mpi_enter_message(&call, PGAS_RECEIVE, BYTES(count, type), from, comm);

#define ENTER_MPI_Mrecv(buffer, count, type, message, status) \
  ASK_FOR(status)                                             \
  pgas_mpi_enter_matched(&call, BYTES(count, type));
#define EXIT_MPI_Mrecv(buffer, count, type, message, status) \
  pgas_mpi_exit_received(&call, SUCCEEDED, status, MPI_COMM_NULL);
#define ENTER_MPI_Imrecv(buffer, count, type, message, request) \
  pgas_mpi_enter_matched(&call, BYTES(count, type));

#define ENTER_MPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, \
                           in_tag, comm, status)                                               \
  ASK_FOR(status)                                                                              \
  ENTER_MPI_Send(out, out_count, out_type, to, out_tag, comm)
#define EXIT_MPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, \
                          in_tag, comm, status)                                               \
  pgas_mpi_exit_received(&call, SUCCEEDED, status, comm);
#define ENTER_MPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag, comm, status) \
  ASK_FOR(status)                                                                                \
  ENTER_MPI_Send(buffer, count, type, to, out_tag, comm)
#define EXIT_MPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag, comm, status) \
  pgas_mpi_exit_received(&call, SUCCEEDED, status, comm);

/* ---- Collective operations ----
 *
 * Bytes are those that would pass if each process sent its data to each other one that needs it.
 * Arguments that a process's rank makes insignificant are not looked at. */

#define OTHERS ((uint64_t)(pgas_mpi_ranks(&call) - 1))
#define OWN pgas_mpi_rank(&call)
#define COLLECTIVE(comm, region, flow, root) \
  if (pgas_mpi_enter_collective(&call, comm, region, flow, root))
#define EXIT_COLLECTIVE pgas_mpi_exit_collective(&call);

/* The elements that the counts of all other processes say. */
#define OF_OTHERS(counts)                                    \
  __extension__({                                            \
    int64_t sum = 0;                                         \
    for (int rank = 0; rank < pgas_mpi_ranks(&call); rank++) \
      if (rank != OWN) sum += (counts)[rank];                \
    sum;                                                     \
  })
/* Bytes, if each has a type of its own. */
#define BYTES_OF_OTHERS(counts, types)                                                       \
  __extension__({                                                                            \
    uint64_t sum = 0;                                                                        \
    for (int rank = 0; rank < pgas_mpi_ranks(&call); rank++)                                 \
      if (rank != OWN && (counts)[rank]) sum += BYTES((counts)[rank], TYPE_AT(types, rank)); \
    sum;                                                                                     \
  })

#define ENTER_MPI_Barrier(comm) COLLECTIVE(comm, PGAS_BARRIER, PGAS_FLOW_ALL, -1){};
#define EXIT_MPI_Barrier(comm) EXIT_COLLECTIVE

#define ENTER_MPI_Bcast(buffer, count, type, root, comm)        \
  COLLECTIVE(comm, PGAS_BROADCAST, PGAS_FLOW_FROM_ROOT, root) { \
    uint64_t bytes = BYTES(count, type);                        \
    if (call.is_root) call.sent = OTHERS * bytes;               \
    else call.received = bytes;                                 \
  }
#define EXIT_MPI_Bcast(buffer, count, type, root, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Scatter(out, out_count, out_type, in, in_count, in_type, root, comm) \
  COLLECTIVE(comm, PGAS_SCATTER, PGAS_FLOW_FROM_ROOT, root) {                          \
    if (call.is_root) call.sent = OTHERS * BYTES(out_count, out_type);                 \
    else call.received = BYTES(in_count, in_type);                                     \
  }
#define EXIT_MPI_Scatter(out, out_count, out_type, in, in_count, in_type, root, comm) \
  EXIT_COLLECTIVE

#define ENTER_MPI_Scatterv(out, out_counts, places, out_type, in, in_count, in_type, root, comm) \
  COLLECTIVE(comm, PGAS_SCATTER, PGAS_FLOW_FROM_ROOT, root) {                                    \
    if (call.is_root) call.sent = BYTES(OF_OTHERS(out_counts), out_type);                        \
    else call.received = BYTES(in_count, in_type);                                               \
  }
#define EXIT_MPI_Scatterv(out, out_counts, places, out_type, in, in_count, in_type, root, comm) \
  EXIT_COLLECTIVE

#define ENTER_MPI_Gather(out, out_count, out_type, in, in_count, in_type, root, comm) \
  COLLECTIVE(comm, PGAS_GATHER, PGAS_FLOW_TO_ROOT, root) {                            \
    if (call.is_root) call.received = OTHERS * BYTES(in_count, in_type);              \
    else call.sent = BYTES(out_count, out_type);                                      \
  }
#define EXIT_MPI_Gather(out, out_count, out_type, in, in_count, in_type, root, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Gatherv(out, out_count, out_type, in, in_counts, places, in_type, root, comm) \
  COLLECTIVE(comm, PGAS_GATHER, PGAS_FLOW_TO_ROOT, root) {                                      \
    if (call.is_root) call.received = BYTES(OF_OTHERS(in_counts), in_type);                     \
    else call.sent = BYTES(out_count, out_type);                                                \
  }
#define EXIT_MPI_Gatherv(out, out_count, out_type, in, in_counts, places, in_type, root, comm) \
  EXIT_COLLECTIVE

#define ENTER_MPI_Reduce(out, in, count, type, operation, root, comm) \
  COLLECTIVE(comm, PGAS_REDUCE, PGAS_FLOW_TO_ROOT, root) {            \
    uint64_t bytes = BYTES(count, type);                              \
    if (call.is_root) call.received = OTHERS * bytes;                 \
    else call.sent = bytes;                                           \
  }
#define EXIT_MPI_Reduce(out, in, count, type, operation, root, comm) EXIT_COLLECTIVE

/* What is sent may be in the place of what is received; then only the latter is described. */
#define ENTER_MPI_Allgather(out, out_count, out_type, in, in_count, in_type, comm) \
  COLLECTIVE(comm, PGAS_GATHER_ALL, PGAS_FLOW_ALL, -1) {                           \
    call.sent = call.received = OTHERS * BYTES(in_count, in_type);                 \
  }
#define EXIT_MPI_Allgather(out, out_count, out_type, in, in_count, in_type, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Allgatherv(out, out_count, out_type, in, in_counts, places, in_type, comm) \
  COLLECTIVE(comm, PGAS_GATHER_ALL, PGAS_FLOW_ALL, -1) {                                     \
    call.sent = OTHERS * BYTES((in_counts)[OWN], in_type);                                   \
    call.received = BYTES(OF_OTHERS(in_counts), in_type);                                    \
  }
#define EXIT_MPI_Allgatherv(out, out_count, out_type, in, in_counts, places, in_type, comm) \
  EXIT_COLLECTIVE

#define ENTER_MPI_Allreduce(out, in, count, type, operation, comm) \
  COLLECTIVE(comm, PGAS_GATHER_ALL, PGAS_FLOW_ALL, -1) {           \
    call.sent = call.received = OTHERS * BYTES(count, type);       \
  }
#define EXIT_MPI_Allreduce(out, in, count, type, operation, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Reduce_scatter(out, in, counts, type, operation, comm) \
  COLLECTIVE(comm, PGAS_GATHER_ALL, PGAS_FLOW_ALL, -1) {                 \
    call.sent = BYTES(OF_OTHERS(counts), type);                          \
    call.received = OTHERS * BYTES((counts)[OWN], type);                 \
  }
#define EXIT_MPI_Reduce_scatter(out, in, counts, type, operation, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Reduce_scatter_block(out, in, count, type, operation, comm) \
  ENTER_MPI_Allreduce(out, in, count, type, operation, comm)
#define EXIT_MPI_Reduce_scatter_block(out, in, count, type, operation, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Alltoall(out, out_count, out_type, in, in_count, in_type, comm) \
  COLLECTIVE(comm, PGAS_EXCHANGE, PGAS_FLOW_ALL, -1) {                            \
    call.sent = call.received = OTHERS * BYTES(in_count, in_type);                \
  }
#define EXIT_MPI_Alltoall(out, out_count, out_type, in, in_count, in_type, comm) EXIT_COLLECTIVE

#define ENTER_MPI_Alltoallv(out, out_counts, out_places, out_type, in, in_counts, in_places,  \
                            in_type, comm)                                                    \
  COLLECTIVE(comm, PGAS_EXCHANGE, PGAS_FLOW_ALL, -1) {                                        \
    call.received = BYTES(OF_OTHERS(in_counts), in_type);                                     \
    call.sent = out == MPI_IN_PLACE ? call.received : BYTES(OF_OTHERS(out_counts), out_type); \
  }
#define EXIT_MPI_Alltoallv(out, out_counts, out_places, out_type, in, in_counts, in_places, \
                           in_type, comm)                                                   \
  EXIT_COLLECTIVE

#define ENTER_MPI_Alltoallw(out, out_counts, out_places, out_types, in, in_counts, in_places, \
                            in_types, comm)                                                   \
  COLLECTIVE(comm, PGAS_EXCHANGE, PGAS_FLOW_ALL, -1) {                                        \
    call.received = BYTES_OF_OTHERS(in_counts, in_types);                                     \
    call.sent = out == MPI_IN_PLACE ? call.received : BYTES_OF_OTHERS(out_counts, out_types); \
  }
#define EXIT_MPI_Alltoallw(out, out_counts, out_places, out_types, in, in_counts, in_places, \
                           in_types, comm)                                                   \
  EXIT_COLLECTIVE

#define ENTER_MPI_Scan(out, in, count, type, operation, comm)        \
  if (pgas_mpi_enter_scan(&call, comm)) {                            \
    uint64_t bytes = BYTES(count, type);                             \
    call.sent = bytes * (uint64_t)(pgas_mpi_ranks(&call) - 1 - OWN); \
    call.received = bytes * (uint64_t)OWN;                           \
  }
#define EXIT_MPI_Scan(out, in, count, type, operation, comm) EXIT_COLLECTIVE
#define ENTER_MPI_Exscan ENTER_MPI_Scan
#define EXIT_MPI_Exscan EXIT_MPI_Scan

/* Those that make communicators, whose members need not wait for each other. */
#define CREATION(comm) COLLECTIVE(comm, PGAS_GROUP_COLLECTIVE, PGAS_FLOW_UNKNOWN, -1){};
#define ENTER_MPI_Comm_dup(comm, made) CREATION(comm)
#define EXIT_MPI_Comm_dup(comm, made) EXIT_COLLECTIVE
#define ENTER_MPI_Comm_dup_with_info(comm, info, made) CREATION(comm)
#define EXIT_MPI_Comm_dup_with_info(comm, info, made) EXIT_COLLECTIVE
#define ENTER_MPI_Comm_create(comm, group, made) CREATION(comm)
#define EXIT_MPI_Comm_create(comm, group, made) EXIT_COLLECTIVE
#define ENTER_MPI_Comm_split(comm, color, key, made) CREATION(comm)
#define EXIT_MPI_Comm_split(comm, color, key, made) EXIT_COLLECTIVE
#define ENTER_MPI_Comm_split_type(comm, type, key, info, made) CREATION(comm)
#define EXIT_MPI_Comm_split_type(comm, type, key, info, made) EXIT_COLLECTIVE
#define ENTER_MPI_Comm_free(comm) CREATION(*(comm))
#define EXIT_MPI_Comm_free(comm) EXIT_COLLECTIVE
#define ENTER_MPI_Comm_disconnect(comm) CREATION(*(comm))
#define EXIT_MPI_Comm_disconnect(comm) EXIT_COLLECTIVE
#define ENTER_MPI_Cart_create(comm, n, sizes, periods, reorder, made) CREATION(comm)
#define EXIT_MPI_Cart_create(comm, n, sizes, periods, reorder, made) EXIT_COLLECTIVE
#define ENTER_MPI_Cart_sub(comm, remain, made) CREATION(comm)
#define EXIT_MPI_Cart_sub(comm, remain, made) EXIT_COLLECTIVE
#define ENTER_MPI_Graph_create(comm, n, index, edges, reorder, made) CREATION(comm)
#define EXIT_MPI_Graph_create(comm, n, index, edges, reorder, made) EXIT_COLLECTIVE
#define ENTER_MPI_Dist_graph_create(comm, n, sources, degrees, targets, weights, info, reorder, \
                                    made)                                                       \
  CREATION(comm)
#define EXIT_MPI_Dist_graph_create(comm, n, sources, degrees, targets, weights, info, reorder, \
                                   made)                                                       \
  EXIT_COLLECTIVE
#define ENTER_MPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, targets, \
                                             out_weights, info, reorder, made)            \
  CREATION(comm)
#define EXIT_MPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, targets, \
                                            out_weights, info, reorder, made)            \
  EXIT_COLLECTIVE

/* ---- One-sided operations ---- */

#define ENTER_MPI_Put(buffer, count, type, to, place, to_count, to_type, window) \
  pgas_mpi_enter_transfer(&call, PGAS_NONBLOCKING_PUT, BYTES(count, type), to, window);
#define ENTER_MPI_Rput(buffer, count, type, to, place, to_count, to_type, window, request) \
  ENTER_MPI_Put(buffer, count, type, to, place, to_count, to_type, window)
#define ENTER_MPI_Accumulate(buffer, count, type, to, place, to_count, to_type, operation, window) \
  ENTER_MPI_Put(buffer, count, type, to, place, to_count, to_type, window)
#define ENTER_MPI_Raccumulate(buffer, count, type, to, place, to_count, to_type, operation, \
                              window, request)                                              \
  ENTER_MPI_Put(buffer, count, type, to, place, to_count, to_type, window)
#define ENTER_MPI_Get(buffer, count, type, from, place, from_count, from_type, window) \
  pgas_mpi_enter_transfer(&call, PGAS_NONBLOCKING_GET, BYTES(count, type), from, window);
#define ENTER_MPI_Rget(buffer, count, type, from, place, from_count, from_type, window, request) \
  ENTER_MPI_Get(buffer, count, type, from, place, from_count, from_type, window)

#define ENTER_MPI_Get_accumulate(buffer, count, type, in, in_count, in_type, at, place, at_count, \
                                 at_type, operation, window)                                      \
  pgas_mpi_enter_transfer(&call, PGAS_ATOMIC, BYTES(at_count, at_type), at, window);
#define ENTER_MPI_Rget_accumulate(buffer, count, type, in, in_count, in_type, at, place, at_count, \
                                  at_type, operation, window, request)                             \
  pgas_mpi_enter_transfer(&call, PGAS_ATOMIC, BYTES(at_count, at_type), at, window);
#define ENTER_MPI_Fetch_and_op(buffer, in, type, at, place, operation, window) \
  pgas_mpi_enter_transfer(&call, PGAS_ATOMIC, BYTES(1, type), at, window);
#define ENTER_MPI_Compare_and_swap(buffer, compared, in, type, at, place, window) \
  pgas_mpi_enter_transfer(&call, PGAS_ATOMIC, BYTES(1, type), at, window);

/* ---- Windows ---- */

#define EXIT_CREATED(window) \
  EXIT_COLLECTIVE            \
  pgas_mpi_note_window(SUCCEEDED, *(window));
#define ENTER_MPI_Win_create(base, bytes, unit, info, comm, window) CREATION(comm)
#define EXIT_MPI_Win_create(base, bytes, unit, info, comm, window) EXIT_CREATED(window)
#define ENTER_MPI_Win_allocate(bytes, unit, info, comm, base, window) CREATION(comm)
#define EXIT_MPI_Win_allocate(bytes, unit, info, comm, base, window) EXIT_CREATED(window)
#define ENTER_MPI_Win_allocate_shared ENTER_MPI_Win_allocate
#define EXIT_MPI_Win_allocate_shared EXIT_MPI_Win_allocate
#define ENTER_MPI_Win_create_dynamic(info, comm, window) CREATION(comm)
#define EXIT_MPI_Win_create_dynamic(info, comm, window) EXIT_CREATED(window)
/* The standard demands that no process leaves it before all have come (MPI 4.0, 12.2.5). */
#define ENTER_MPI_Win_free(window) \
  pgas_mpi_enter_window(&call, *(window), PGAS_GROUP_COLLECTIVE, PGAS_FLOW_ALL);
#define EXIT_MPI_Win_free(window) EXIT_COLLECTIVE

#define ENTER_MPI_Win_fence(assertion, window) pgas_mpi_enter_fence(&call, assertion, window);
#define EXIT_MPI_Win_fence(assertion, window) EXIT_COLLECTIVE

#define ENTER_MPI_Win_lock(type, target, assertion, window) \
  pgas_mpi_enter_lock(&call, type, target, window);
#define ENTER_MPI_Win_unlock(target, window) pgas_mpi_enter_unlock(&call, target, window);

#define ENTER_FLUSH pgas_mpi_enter_region(&call, PGAS_NONBLOCKING_SYNC);
#define ENTER_MPI_Win_flush(target, window) ENTER_FLUSH
#define ENTER_MPI_Win_flush_local(target, window) ENTER_FLUSH
#define ENTER_MPI_Win_flush_all(window) ENTER_FLUSH
#define ENTER_MPI_Win_flush_local_all(window) ENTER_FLUSH
#define ENTER_MPI_Win_sync(window) pgas_mpi_enter_region(&call, PGAS_FENCE);

#define ENTER_MPI_Win_post(group, assertion, window) pgas_mpi_enter_post(&call, group, window);
#define ENTER_MPI_Win_start(group, assertion, window) pgas_mpi_enter_start(&call, group, window);
#define EXIT_MPI_Win_start(group, assertion, window) pgas_mpi_exit_start(&call, window);
#define ENTER_MPI_Win_complete(window) pgas_mpi_enter_complete(&call, window);
#define EXIT_MPI_Win_complete(window) pgas_mpi_exit_complete(&call, window);
#define ENTER_MPI_Win_wait(window) pgas_mpi_enter_region(&call, PGAS_PARTNER_SYNC);
#define EXIT_MPI_Win_wait(window) pgas_mpi_exit_wait(&call, SUCCEEDED, window);
#define ENTER_MPI_Win_test(window, flag) pgas_mpi_enter_region(&call, PGAS_PARTNER_SYNC);
#define EXIT_MPI_Win_test(window, flag) pgas_mpi_exit_wait(&call, SUCCEEDED && *(flag), window);

/* ---- Functions that are not recorded ---- */

/* Written by hand, in mpi_program.c. */
#define LEFT_OUT_MPI_Init
#define LEFT_OUT_MPI_Init_thread
#define LEFT_OUT_MPI_Finalize
#define LEFT_OUT_MPI_Abort

/* Those that only ask what the process knows. */
#define LEFT_OUT_MPI_Initialized
#define LEFT_OUT_MPI_Finalized
#define LEFT_OUT_MPI_Query_thread
#define LEFT_OUT_MPI_Is_thread_main
#define LEFT_OUT_MPI_Get_version
#define LEFT_OUT_MPI_Get_library_version
#define LEFT_OUT_MPI_Get_processor_name
#define LEFT_OUT_MPI_Get_address
#define LEFT_OUT_MPI_Get_count
#define LEFT_OUT_MPI_Get_elements
#define LEFT_OUT_MPI_Get_elements_x
#define LEFT_OUT_MPI_Test_cancelled
#define LEFT_OUT_MPI_Error_class
#define LEFT_OUT_MPI_Error_string
#define LEFT_OUT_MPI_Comm_rank
#define LEFT_OUT_MPI_Comm_size
#define LEFT_OUT_MPI_Comm_remote_size
#define LEFT_OUT_MPI_Comm_test_inter
#define LEFT_OUT_MPI_Comm_compare
#define LEFT_OUT_MPI_Comm_group
#define LEFT_OUT_MPI_Comm_remote_group
#define LEFT_OUT_MPI_Comm_get_attr
#define LEFT_OUT_MPI_Comm_get_name
#define LEFT_OUT_MPI_Comm_get_parent
#define LEFT_OUT_MPI_Attr_get
#define LEFT_OUT_MPI_Group_rank
#define LEFT_OUT_MPI_Group_size
#define LEFT_OUT_MPI_Group_compare
#define LEFT_OUT_MPI_Group_translate_ranks
#define LEFT_OUT_MPI_Topo_test
#define LEFT_OUT_MPI_Cart_coords
#define LEFT_OUT_MPI_Cart_get
#define LEFT_OUT_MPI_Cart_rank
#define LEFT_OUT_MPI_Cart_shift
#define LEFT_OUT_MPI_Cartdim_get
#define LEFT_OUT_MPI_Dims_create
#define LEFT_OUT_MPI_Type_size
#define LEFT_OUT_MPI_Type_size_x
#define LEFT_OUT_MPI_Type_get_extent
#define LEFT_OUT_MPI_Type_get_extent_x
#define LEFT_OUT_MPI_Win_get_attr
#define LEFT_OUT_MPI_Win_get_group

#endif

/* The transport over MPI. Any MPI-3 library will do: two-sided messages, one allgather at the start
 * and a split of the communicator by machine are used, one-sided operations only on demand, and one
 * pthread at a time calls it. Functions are called by their second names, PMPI_...: MPI_... may be
 * a tool's, for the program's own calls. */
#include "transport.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(unsigned long), "a request fits into a word");

/* All processes, by thread. */
static MPI_Comm threads_comm = MPI_COMM_NULL;

static upcr_request wrap(MPI_Request request) {
  upcr_request wrapped = {0};
  memcpy(&wrapped.bits, &request, sizeof request);
  return wrapped;
}

static MPI_Request unwrap(upcr_request wrapped) {
  MPI_Request request;
  memcpy(&request, &wrapped.bits, sizeof request);
  return request;
}

/* ---- Which process is which thread ---- */

/* Rank of the first process on this machine. */
static int machine_of(int rank) {
  MPI_Comm machine;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  int first = rank;
  PMPI_Bcast(&first, 1, MPI_INT, 0, machine);
  PMPI_Comm_free(&machine);
  return first;
}

/* Threads are numbered machine by machine, so that those of a node are consecutive whichever way
 * the launcher has distributed the ranks. */
static int number(struct upcr_world *world, const int *machine, int rank, int node_size) {
  int size = world->threads;
  world->first_of_node = malloc(((size_t)size + 1) * sizeof(int));
  if (world->first_of_node == NULL) return 0;
  int thread = 0;
  for (int leader = 0; leader < size; leader++) {
    if (machine[leader] != leader) continue;
    int on_node = 0, begin = thread;
    for (int r = leader; r < size; r++) {
      if (machine[r] != leader) continue;
      if (on_node == 0) world->first_of_node[world->nodes++] = thread;
      if (r == rank) {
        world->mythread = thread;
        world->node = world->nodes - 1;
      }
      thread++;
      if (++on_node == node_size) on_node = 0;
    }
    if (machine[rank] == leader) {
      world->machine_first = begin;
      world->machine_threads = thread - begin;
    }
  }
  world->first_of_node[world->nodes] = size;
  world->node_first = world->first_of_node[world->node];
  world->node_threads = world->first_of_node[world->node + 1] - world->node_first;
  return 1;
}

static void name_library(char *text, size_t size) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  PMPI_Get_library_version(version, &length);
  /* Some libraries tell their whole configuration. */
  version[strcspn(version, "\n")] = 0;
  char *package = strstr(version, ", package");
  if (package != NULL) *package = 0;
  for (char *c = version; *c != 0; c++)
    if (*c == '\t') *c = ' ';
  snprintf(text, size, "%.200s", version);
}

const char *upcr_transport_start(struct upcr_world *world, int node_size) {
  memset(world, 0, sizeof *world);
  int initialised, level, rank;
  PMPI_Initialized(&initialised);
  if (initialised) PMPI_Query_thread(&level);
  else PMPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  name_library(world->library, sizeof world->library);
  world->has_all_threads = level >= MPI_THREAD_MULTIPLE;
  if (level < MPI_THREAD_SERIALIZED)
    return "it does not allow calls by a second thread of a process (MPI_THREAD_SERIALIZED), "
           "which answers others while the program computes";
  PMPI_Comm_size(MPI_COMM_WORLD, &world->threads);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *machine = malloc((size_t)world->threads * sizeof(int));
  int own = machine_of(rank);
  if (machine == NULL) return "no memory is left";
  PMPI_Bcast(&node_size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  PMPI_Allgather(&own, 1, MPI_INT, machine, 1, MPI_INT, MPI_COMM_WORLD);
  int numbered = number(world, machine, rank, node_size);
  free(machine);
  if (!numbered) return "no memory is left";
  PMPI_Comm_split(MPI_COMM_WORLD, 0, world->mythread, &threads_comm);
  return NULL;
}

/* For tools: the thread of each process of MPI_COMM_WORLD, by its rank. */
extern int upcr_transport_threads(int *by_rank, int ranks);
int upcr_transport_threads(int *by_rank, int ranks) {
  MPI_Group of_threads, world;
  int *own = malloc((size_t)ranks * sizeof(int));
  if (own == NULL) return 0;
  for (int rank = 0; rank < ranks; rank++) own[rank] = rank;
  PMPI_Comm_group(threads_comm, &of_threads);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(world, ranks, own, of_threads, by_rank);
  PMPI_Group_free(&of_threads);
  PMPI_Group_free(&world);
  free(own);
  return 1;
}

/* Gives access to the memory that processes have exposed. */
static MPI_Win window = MPI_WIN_NULL;

void upcr_transport_finish(void) {
  if (window != MPI_WIN_NULL) {
    PMPI_Win_unlock_all(window);
    PMPI_Win_free(&window);
  }
  PMPI_Finalize();
}

void upcr_transport_abort(int status) {
  PMPI_Abort(MPI_COMM_WORLD, status);
  _Exit(status);
}

void upcr_transport_gather_all(const void *mine, void *all, size_t bytes) {
  PMPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, threads_comm);
}

/* ---- Messages ---- */

upcr_request upcr_transport_send(int thread, int tag, const void *from, size_t bytes) {
  MPI_Request request;
  PMPI_Isend(from, (int)bytes, MPI_BYTE, thread, tag, threads_comm, &request);
  return wrap(request);
}

upcr_request upcr_transport_receive(int thread, int tag, void *to, size_t bytes) {
  MPI_Request request;
  PMPI_Irecv(to, (int)bytes, MPI_BYTE, thread == UPCR_ANY_THREAD ? MPI_ANY_SOURCE : thread, tag,
             threads_comm, &request);
  return wrap(request);
}

int upcr_transport_test(upcr_request *wrapped, int *thread, size_t *bytes) {
  MPI_Request request = unwrap(*wrapped);
  MPI_Status status;
  int complete, count;
  PMPI_Test(&request, &complete, &status);
  if (!complete) return 0;
  wrapped->bits = 0;
  if (thread != NULL) *thread = status.MPI_SOURCE;
  if (bytes != NULL) {
    PMPI_Get_count(&status, MPI_BYTE, &count);
    *bytes = (size_t)count;
  }
  return 1;
}

void upcr_transport_cancel(upcr_request *wrapped) {
  MPI_Request request = unwrap(*wrapped);
  PMPI_Cancel(&request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  wrapped->bits = 0;
}

/* ---- One-sided operations ---- */

const char *upcr_transport_expose(void *memory, size_t bytes) {
  static char why[MPI_MAX_ERROR_STRING];
  int *model, has_model = 0, length;
  PMPI_Comm_set_errhandler(threads_comm, MPI_ERRORS_RETURN);
  int error = PMPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, threads_comm, &window);
  PMPI_Comm_set_errhandler(threads_comm, MPI_ERRORS_ARE_FATAL);
  if (error != MPI_SUCCESS) {
    window = MPI_WIN_NULL;
    PMPI_Error_string(error, why, &length);
    return why;
  }
  PMPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &has_model);
  PMPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  if (!has_model || *model != MPI_WIN_UNIFIED)
    return "its windows are not the memory itself (MPI_WIN_UNIFIED)";
  return NULL;
}

upcr_request upcr_transport_read(int thread, void *to, size_t offset, size_t bytes) {
  MPI_Request request;
  PMPI_Rget(to, (int)bytes, MPI_BYTE, thread, (MPI_Aint)offset, (int)bytes, MPI_BYTE, window,
            &request);
  return wrap(request);
}

upcr_request upcr_transport_write(int thread, const void *from, size_t offset, size_t bytes) {
  MPI_Request request;
  PMPI_Rput(from, (int)bytes, MPI_BYTE, thread, (MPI_Aint)offset, (int)bytes, MPI_BYTE, window,
            &request);
  return wrap(request);
}

void upcr_transport_complete_writes(int thread) { PMPI_Win_flush(thread, window); }

/* Groups of processes of MPI, and which threads they are.
 *
 * What is known of a communicator is found at its first use, without communication, and kept as an
 * attribute of it, with which it goes. */
#include "mpi_groups.h"

#include <stdlib.h>

#include "call_recorder.h"
#include "group_identity.h"

static struct {
  int is_known;
  MPI_Group group; /* of MPI_COMM_WORLD */
  int ranks;
  int *threads; /* by rank; null: they are the ranks */
  int are_all;  /* each thread is there once */
} world;

static int keyval = MPI_KEYVAL_INVALID;

/* That of the last call: programs seldom change. */
static struct {
  MPI_Comm comm;
  struct pgas_mpi_group *group;
} last;

/* ---- Threads ---- */

static int is_each_once(const int *threads, int ranks) {
  if (ranks != pgas_call_threads) return 0;
  char *is_there = calloc((size_t)ranks, 1);
  int are_all = is_there != NULL;
  for (int rank = 0; rank < ranks && are_all; rank++) {
    int thread = threads[rank];
    are_all = thread >= 0 && thread < ranks && !is_there[thread];
    if (are_all) is_there[thread] = 1;
  }
  free(is_there);
  return are_all;
}

/* That of the runtime of UPC, which knows it. */
extern int upcr_transport_threads(int *by_rank, int ranks) __attribute__((weak));

/* All processes come here, those that record nothing, too. */
static void exchange_threads(void) {
  int *threads = malloc((size_t)world.ranks * sizeof *threads);
  if (!threads) abort();
  if (!upcr_transport_threads || !upcr_transport_threads(threads, world.ranks))
    PMPI_Allgather(&pgas_call_thread, 1, MPI_INT, threads, 1, MPI_INT, MPI_COMM_WORLD);
  world.threads = threads;
  world.are_all = is_each_once(threads, world.ranks);
}

static int free_group(MPI_Comm comm, int key, void *group, void *state) {
  (void)key;
  (void)state;
  if (last.comm == comm) last.group = NULL;
  free(((struct pgas_mpi_group *)group)->threads);
  free(group);
  return MPI_SUCCESS;
}

void pgas_mpi_learn_threads(void) {
  int is_initialised = 0, is_finalised = 0;
  PMPI_Initialized(&is_initialised);
  PMPI_Finalized(&is_finalised);
  if (world.is_known || !is_initialised || is_finalised || !pgas_call_threads) return;
  PMPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  PMPI_Comm_group(MPI_COMM_WORLD, &world.group);
#ifdef PGAS_MPI_JOINED
  exchange_threads();
#else
  (void)exchange_threads;
  world.are_all = 1;
#endif
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_group, &keyval, NULL);
  world.is_known = 1;
}

int pgas_mpi_is_ready(void) { return world.is_known; }

/* ---- Groups ---- */

/* The order of members does not matter to the identity. */
static void identify(struct pgas_mpi_group *group, const int *world_ranks) {
  uint64_t sum = 0;
  group->is_known = 1;
  group->is_in_order = 1;
  for (int rank = 0; rank < group->ranks; rank++) {
    int of_world = world_ranks[rank];
    sum += identity_with(1, (uint64_t)(int64_t)of_world);
    int thread = of_world == MPI_UNDEFINED ? -1
                 : world.threads           ? world.threads[of_world]
                                           : of_world;
    group->threads[rank] = thread;
    if (thread < 0) group->is_known = 0;
    if (thread != rank) group->is_in_order = 0;
  }
  group->id = identity_with(sum, (uint64_t)group->ranks);
  group->is_all = group->is_known && world.are_all && group->ranks == world.ranks;
}

int pgas_mpi_describe(struct pgas_mpi_group *group, MPI_Group members, int is_inter) {
  PMPI_Group_size(members, &group->ranks);
  size_t bytes = (size_t)(group->ranks + 1) * sizeof(int);
  int *own = malloc(bytes), *of_world = malloc(bytes);
  group->threads = malloc(bytes);
  int is_there = own && of_world && group->threads;
  if (is_there) {
    for (int rank = 0; rank < group->ranks; rank++) own[rank] = rank;
    PMPI_Group_translate_ranks(members, group->ranks, own, world.group, of_world);
    identify(group, of_world);
    if (is_inter) group->is_known = group->is_all = 0;
  } else {
    free(group->threads);
  }
  free(own);
  free(of_world);
  return is_there;
}

static struct pgas_mpi_group *new_group(MPI_Comm comm) {
  struct pgas_mpi_group *group = calloc(1, sizeof *group);
  if (!group) return NULL;
  int is_inter = 0;
  MPI_Group members;
  PMPI_Comm_test_inter(comm, &is_inter);
  if (is_inter) PMPI_Comm_remote_group(comm, &members);
  else PMPI_Comm_group(comm, &members);
  PMPI_Comm_rank(comm, &group->rank);
  int is_described = pgas_mpi_describe(group, members, is_inter);
  PMPI_Group_free(&members);
  if (is_described && PMPI_Comm_set_attr(comm, keyval, group) == MPI_SUCCESS) return group;
  free(group);
  return NULL;
}

const struct pgas_mpi_group *pgas_mpi_group_of(MPI_Comm comm) {
  if (last.group && last.comm == comm) return last.group;
  if (!world.is_known || comm == MPI_COMM_NULL) return NULL;
  void *known = NULL;
  int is_there = 0;
  PMPI_Comm_get_attr(comm, keyval, &known, &is_there);
  struct pgas_mpi_group *group = is_there ? known : new_group(comm);
  last.comm = comm;
  last.group = group;
  return group;
}

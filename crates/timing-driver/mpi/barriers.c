/* Barriers, and the synchronisation of a window by itself. */
#include <stdlib.h>

#include <mpi.h>

#include "epochs.h"
#include "families.h"
#include "state.h"

/* Seconds by which a process comes late when a barrier is checked. */
#define LATE 0.002

struct barrier {
  const pgas_case *with;
  int rank, size;
  void (*run)(void *state, long launch);
  MPI_Win window; /* MPI_WIN_NULL: the operation has none */
  MPI_Request request;
};

static void *prepare(const pgas_case *with, void (*run)(void *state, long launch)) {
  struct barrier *barrier = state_of(with, sizeof *barrier);
  if (!barrier) return NULL;
  *barrier = (struct barrier){.with = with, .run = run, .window = MPI_WIN_NULL};
  MPI_Comm_rank(MPI_COMM_WORLD, &barrier->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &barrier->size);
  return barrier;
}

static void finish(void *state) {
  struct barrier *barrier = state;
  if (barrier->window != MPI_WIN_NULL) MPI_Win_free(&barrier->window);
  free(barrier);
}

/* ---- Check ---- */

/* Comes to the barrier after the others have said that they go there. */
static void come_late(struct barrier *barrier, long launch) {
  for (int other = 1; other < barrier->size; other++)
    MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  double begin = MPI_Wtime();
  while (MPI_Wtime() - begin < LATE) {
  }
  barrier->run(barrier, launch);
}

static int waits_for(struct barrier *barrier, int late, long launch) {
  double begin = MPI_Wtime();
  MPI_Send(NULL, 0, MPI_BYTE, late, 0, MPI_COMM_WORLD);
  barrier->run(barrier, launch);
  return MPI_Wtime() - begin >= LATE;
}

/* Nobody may leave before the last one has come: the first and the last rank are late in turn. */
static int check(void *state, long launch) {
  struct barrier *barrier = state;
  int latecomers[] = {0, barrier->size - 1}, status = 0;
  for (int i = 0; i < 2; i++) {
    if (barrier->rank == latecomers[i]) {
      come_late(barrier, launch);
    } else if (!waits_for(barrier, latecomers[i], launch)) {
      pgas_complain(barrier->with, "rank %d left before rank %d had come", barrier->rank,
                    latecomers[i]);
      status = -1;
    }
  }
  return status;
}

/* ---- Operations ---- */

static void run_barrier(void *state, long launch) {
  (void)state, (void)launch;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void *prepare_barrier(const pgas_case *with) { return prepare(with, run_barrier); }

#if MPI_VERSION >= 3
static void start_ibarrier(void *state, long launch) {
  struct barrier *barrier = state;
  (void)launch;
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier->request);
}

static void complete_ibarrier(void *state, long launch) {
  struct barrier *barrier = state;
  (void)launch;
  MPI_Wait(&barrier->request, MPI_STATUS_IGNORE);
}

static void run_ibarrier(void *state, long launch) {
  start_ibarrier(state, launch);
  complete_ibarrier(state, launch);
}

static void *prepare_ibarrier(const pgas_case *with) { return prepare(with, run_ibarrier); }
#endif

static void run_fence(void *state, long launch) {
  struct barrier *barrier = state;
  (void)launch;
  MPI_Win_fence(0, barrier->window);
}

static void *prepare_fence(const pgas_case *with) {
  struct barrier *barrier = prepare(with, run_fence);
  if (!barrier || !pgas_create_window(with, NULL, 0, &barrier->window)) return barrier;
  free(barrier);
  return NULL;
}

#define BARRIER(function, describe, form, ...)                       \
  static const pgas_operation function = {.name = "MPI_" #function,  \
                                          .help = describe,          \
                                          .prepare = prepare_##form, \
                                          .run = run_##form,         \
                                          .check = check,            \
                                          .finish = finish,          \
                                          __VA_ARGS__};

BARRIER(Barrier, "all wait for all", barrier, .start = NULL)
#if MPI_VERSION >= 3
BARRIER(Ibarrier, "all wait for all, without waiting", ibarrier, .start = start_ibarrier,
        .complete = complete_ibarrier)
#endif
BARRIER(Win_fence, "synchronisation of a window that nobody accesses", fence, .start = NULL)

const pgas_operation *const pgas_mpi_barriers[] = {
    &Barrier,
#if MPI_VERSION >= 3
    &Ibarrier,
#endif
    &Win_fence,
    NULL,
};

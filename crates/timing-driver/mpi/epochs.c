/* Windows, and how their accesses are synchronised. */
#include "epochs.h"

#include "arguments.h"
#include "memory.h"

/* ---- Window ---- */

int pgas_create_window(const pgas_case *with, void *memory, size_t bytes, MPI_Win *window) {
  char reason[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int error = MPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, window);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (error == MPI_SUCCESS) return 0;
  MPI_Error_string(error, reason, &length);
  pgas_complain(with, "MPI_Win_create: %s", reason);
  return -1;
}

static int read_arguments(struct epochs *epochs) {
  const pgas_case *with = epochs->with;
  int sync = pgas_argument_choice(with, "sync");
#if MPI_VERSION >= 3
  epochs->is_allocated = pgas_argument_choice(with, "window") == 0;
#else
  sync += SYNC_LOCK;
#endif
  epochs->sync = (enum epoch_sync)sync;
  epochs->target = partner_argument(with, "near", 0);
  return epochs->target < 0 ? -1 : 0;
}

static MPI_Group group_of(MPI_Group all, int rank) {
  MPI_Group group;
  MPI_Group_incl(all, 1, &rank, &group);
  return group;
}

static void make_groups(struct epochs *epochs) {
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  epochs->origins = group_of(all, 0);
  epochs->targets = group_of(all, epochs->target);
  MPI_Group_free(&all);
}

/* Memory of the target, which others have none of. */
static int make_memory(struct epochs *epochs, size_t bytes) {
  struct buffers *memory = &epochs->memory;
  int count = epochs->with->buffers;
  *memory = (struct buffers){NULL, buffer_distance(bytes), count};
  if (!epochs->is_target || epochs->is_allocated) return 0;
  return buffers_make(memory, epochs->with, count, bytes);
}

static int make_window(struct epochs *epochs) {
  struct buffers *memory = &epochs->memory;
  size_t all = epochs->is_target ? memory->each * (size_t)memory->count : 0;
#if MPI_VERSION >= 3
  if (epochs->is_allocated) {
    MPI_Win_allocate((MPI_Aint)all, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory->memory,
                     &epochs->window);
    if (all) memset(memory->memory, UNTOUCHED, all);
    return 0;
  }
#endif
  return pgas_create_window(epochs->with, memory->memory, all, &epochs->window);
}

int pgas_epochs_make(struct epochs *epochs, const pgas_case *with, size_t bytes) {
  *epochs = (struct epochs){.with = with, .rank = with->thread};
  if (read_arguments(epochs)) return -1;
  epochs->is_origin = epochs->rank == 0;
  epochs->is_target = epochs->rank == epochs->target;
  if (make_memory(epochs, bytes)) return -1;
  if (make_window(epochs)) {
    buffers_free(&epochs->memory);
    return -1;
  }
  make_groups(epochs);
  return 0;
}

void pgas_epochs_ready(struct epochs *epochs) {
  MPI_Barrier(MPI_COMM_WORLD);
#if MPI_VERSION >= 3
  if (epochs->sync == SYNC_LOCK_ALL) MPI_Win_lock_all(0, epochs->window);
#endif
  if (epochs->sync == SYNC_FENCE) MPI_Win_fence(0, epochs->window);
}

void pgas_epochs_free(struct epochs *epochs) {
#if MPI_VERSION >= 3
  if (epochs->sync == SYNC_LOCK_ALL) MPI_Win_unlock_all(epochs->window);
#endif
  MPI_Win_free(&epochs->window);
  MPI_Group_free(&epochs->origins);
  MPI_Group_free(&epochs->targets);
  if (!epochs->is_allocated) buffers_free(&epochs->memory);
}

/* ---- Epochs ---- */

void pgas_epoch_open(struct epochs *epochs) {
  int lock = epochs->sync == SYNC_LOCK ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
  switch (epochs->sync) {
    case SYNC_LOCK_ALL:
    case SYNC_FENCE: break;
    case SYNC_LOCK:
    case SYNC_LOCK_EXCLUSIVE:
      if (epochs->is_origin) MPI_Win_lock(lock, epochs->target, 0, epochs->window);
      break;
    case SYNC_PSCW:
      if (epochs->is_target) MPI_Win_post(epochs->origins, 0, epochs->window);
      if (epochs->is_origin) MPI_Win_start(epochs->targets, 0, epochs->window);
      break;
  }
}

void pgas_epoch_close(struct epochs *epochs) {
  switch (epochs->sync) {
    case SYNC_LOCK_ALL:
#if MPI_VERSION >= 3
      if (epochs->is_origin) MPI_Win_flush(epochs->target, epochs->window);
#endif
      break;
    case SYNC_LOCK:
    case SYNC_LOCK_EXCLUSIVE:
      if (epochs->is_origin) MPI_Win_unlock(epochs->target, epochs->window);
      break;
    case SYNC_FENCE: MPI_Win_fence(0, epochs->window); break;
    case SYNC_PSCW:
      if (epochs->is_origin) MPI_Win_complete(epochs->window);
      if (epochs->is_target) MPI_Win_wait(epochs->window);
      break;
  }
}

/* ---- The target's own memory ---- */

static int is_locking(const struct epochs *epochs) {
  return epochs->sync == SYNC_LOCK || epochs->sync == SYNC_LOCK_EXCLUSIVE;
}

void pgas_epochs_look(struct epochs *epochs) {
#if MPI_VERSION >= 3
  if (epochs->sync == SYNC_LOCK_ALL) MPI_Win_sync(epochs->window);
#endif
  if (is_locking(epochs)) MPI_Win_lock(MPI_LOCK_SHARED, epochs->rank, 0, epochs->window);
}

void pgas_epochs_look_away(struct epochs *epochs) {
  if (is_locking(epochs)) MPI_Win_unlock(epochs->rank, epochs->window);
}

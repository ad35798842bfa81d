/* Allocation of symmetric memory, which all PEs do together. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "families.h"
#include "state.h"

#define ALIGNMENT 4096

struct allocation {
  const pgas_case *with;
  long *memory; /* symmetric; null: none */
  size_t alignment;
};

static size_t bytes_of(const struct allocation *of) {
  return of->with->bytes > sizeof(long) ? of->with->bytes : sizeof(long);
}

static void *prepare(const pgas_case *with) {
  struct allocation *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct allocation){.with = with, .alignment = 1};
  return of;
}

static void *prepare_align(const pgas_case *with) {
  struct allocation *of = prepare(with);
  if (of) of->alignment = ALIGNMENT;
  return of;
}

static void run_malloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->memory = shmem_malloc(bytes_of(of));
}

static void run_calloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->memory = shmem_calloc(1, bytes_of(of));
}

static void run_align(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->memory = shmem_align(ALIGNMENT, bytes_of(of));
}

static void run_free(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  if (of->memory) shmem_free(of->memory);
  of->memory = NULL;
}

/* Half of it before the launch, all of it afterwards. */
static void ready_realloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->memory = shmem_malloc(bytes_of(of) / 2 + sizeof(long));
}

static void run_realloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->memory = shmem_realloc(of->memory, bytes_of(of) + sizeof(long));
}

static void finish(void *state) {
  run_free(state, 0);
  free(state);
}

/* ---- Check ---- */

/* Each PE writes into the next one's memory, at both ends, at the address of its own. */
static int is_symmetric(struct allocation *of) {
  int pes = of->with->threads, next = (of->with->thread + 1) % pes;
  long right = (of->with->thread + pes - 1) % pes;
  size_t last = bytes_of(of) / sizeof(long) - 1;
  shmem_barrier_all(); /* an implementation may clear the memory after the others have theirs */
  shmem_long_p(&of->memory[0], of->with->thread, next);
  shmem_long_p(&of->memory[last], of->with->thread, next);
  shmem_barrier_all();
  return of->memory[0] == right && of->memory[last] == right;
}

/* Performs it again and uses what it gives, since the memory of a launch is free after it. */
static int check_with(struct allocation *of, void (*run)(void *state, long launch)) {
  int status = 0;
  run(of, 0);
  if (!of->memory || (uintptr_t)of->memory % of->alignment || !is_symmetric(of)) {
    pgas_complain(of->with, "PE %d: there is no symmetric memory of %zu bytes%s", of->with->thread,
                  bytes_of(of), of->memory ? "" : "; SHMEM_SYMMETRIC_SIZE sets the heap's size");
    status = -1;
  }
  run_free(of, 0);
  return status;
}

static int check_malloc(void *state, long launch) {
  (void)launch;
  return check_with(state, run_malloc);
}

static int check_calloc(void *state, long launch) {
  (void)launch;
  return check_with(state, run_calloc);
}

static int check_align(void *state, long launch) {
  (void)launch;
  return check_with(state, run_align);
}

/* Contents stay what they were. */
static int check_realloc(void *state, long launch) {
  struct allocation *of = state;
  int status = 0;
  ready_realloc(of, launch);
  if (of->memory) *of->memory = 4711 + of->with->thread;
  run_realloc(of, launch);
  if (!of->memory || *of->memory != 4711 + of->with->thread || !is_symmetric(of)) {
    pgas_complain(of->with, "PE %d: contents were lost", of->with->thread);
    status = -1;
  }
  run_free(of, launch);
  return status;
}

/* A heap that does not take memory back is empty after as many blocks as fit into it. */
static int check_free(void *state, long launch) {
  struct allocation *of = state;
  run_malloc(of, launch);
  long *first = of->memory;
  run_free(of, launch);
  run_malloc(of, launch);
  int is_same = of->memory == first;
  run_free(of, launch);
  if (first && is_same) return 0;
  pgas_complain(of->with, "PE %d: memory that was freed is not used again", of->with->thread);
  return -1;
}

/* ---- Operations ---- */

#define ALLOCATION(function, describe, preparing, ...)                            \
  static const pgas_operation operation_##function = {.name = "shmem_" #function, \
                                                      .help = describe,           \
                                                      .sized = 1,                 \
                                                      .prepare = preparing,       \
                                                      .run = run_##function,      \
                                                      .check = check_##function,  \
                                                      .finish = finish,           \
                                                      __VA_ARGS__};

ALLOCATION(malloc, "symmetric memory; freeing it is not timed", prepare, .done = run_free)
ALLOCATION(calloc, "symmetric memory of zeros; freeing it is not timed", prepare, .done = run_free)
ALLOCATION(align, "symmetric memory at an address of pages; freeing it is not timed", prepare_align,
           .done = run_free)
ALLOCATION(realloc, "symmetric memory becomes twice as large; freeing it is not timed", prepare,
           .ready = ready_realloc, .done = run_free)
ALLOCATION(free, "symmetric memory is given back; allocating it is not timed", prepare,
           .ready = run_malloc)

const pgas_operation *const pgas_shmem_memory[] = {
    &operation_malloc,  &operation_calloc, &operation_align,
    &operation_realloc, &operation_free,   NULL,
};

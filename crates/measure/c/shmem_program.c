/* OpenSHMEM: begin and end of the program.
 *
 * The recording begins when the library is initialised and all PEs are there, with the function
 * main, and ends with the implicit barrier of shmem_finalize: before the library closes down, so
 * that a library that fails there costs nothing of the recording. */
#include <stdlib.h>

#include "program_end.h"
#include "shmem_clocks.h"
#include "shmem_memory.h"
#include "shmem_wrapper.h"

struct pgas_shmem_program pgas_shmem;
__thread pgas_recorder *pgas_call_recorder;
int pgas_call_thread, pgas_call_threads;

static int is_initialised, is_over;

/* Not there in a program whose main is in Fortran. */
extern int main() __attribute__((weak));

REAL(int, shmem_my_pe, (void))
REAL(int, shmem_n_pes, (void))
REAL(void, shmem_barrier_all, (void))

/* ---- End ---- */

/* The recording is complete after it. */
static void finish(pgas_recorder *recorder) {
  is_over = 1;
  pgas_call_recorder = NULL;
  pgas_finish(recorder);
}

/* All PEs come here; the library waits for all, so this may, too. */
static void end_together(pgas_recorder *recorder, const char *name, const void *caller) {
  const pgas_call end = {PGAS_COLLECTIVE_EXIT, name, caller};
  const pgas_call barrier = {PGAS_BARRIER, name, caller};
  if (recorder) {
    pgas_enter_call_end(recorder, &end, 0);
    pgas_enter_call_barrier(recorder, &barrier);
  }
  CALL(shmem_barrier_all)();
  if (recorder) {
    pgas_exit_call(recorder, &barrier);
    pgas_exit_call(recorder, &end);
  }
  pgas_shmem_compare_clocks(recorder, 1);
  finish(recorder);
}

static void end_alone(pgas_recorder *recorder, const char *name, const void *caller, int status) {
  const pgas_call end = {PGAS_NONCOLLECTIVE_EXIT, name, caller};
  if (recorder) {
    pgas_enter_call_end(recorder, &end, status);
    pgas_exit_call(recorder, &end);
  }
  finish(recorder);
}

/* The program ends without shmem_finalize. */
static void at_exit(int status) {
  pgas_recorder *recorder = begin_call();
  if (recorder && !is_over) end_alone(recorder, "exit", NULL, status);
}
DEFINE_END(at_exit)

void pgas_shmem_finalize(const void *caller) {
  pgas_recorder *recorder = begin_call();
  if (is_initialised && !is_over) end_together(recorder, "shmem_finalize", caller);
}

void pgas_shmem_global_exit(const void *caller, int status) {
  pgas_recorder *recorder = begin_call();
  if (recorder && !is_over) end_alone(recorder, "shmem_global_exit", caller, status);
}

#ifdef HAVE_shmem_finalize
WRAPPER(void, shmem_finalize, (void)) {
  pgas_shmem_finalize(__builtin_return_address(0));
  CALL(shmem_finalize)();
}
#endif

#ifdef HAVE_shmem_global_exit
WRAPPER(void, shmem_global_exit, (int status)) {
  pgas_shmem_global_exit(__builtin_return_address(0), status);
  CALL(shmem_global_exit)(status);
}
#endif

/* ---- Begin ---- */

void pgas_shmem_begin(void) {
  if (is_initialised) return;
  is_initialised = 1;
  pgas_shmem.my_pe = CALL(shmem_my_pe)();
  pgas_shmem.n_pes = CALL(shmem_n_pes)();
  pgas_call_thread = pgas_shmem.my_pe;
  pgas_call_threads = pgas_shmem.n_pes;
  pgas_shmem_find_image();
  pgas_name_runtime("openshmem");
  pgas_recorder *recorder = pgas_open(pgas_shmem.my_pe, pgas_shmem.n_pes);
  CALL(shmem_barrier_all)();
  pgas_shmem_compare_clocks(recorder, 0);
  if (pgas_mpi_learn_threads) pgas_mpi_learn_threads();
  if (!recorder) return;
  if (main) pgas_enter_function(recorder, (const void *)main);
  else pgas_enter(recorder, PGAS_FUNCTION, NULL, 0, "main");
  AT_EXIT(at_exit);
  pgas_call_recorder = recorder;
}

#ifdef HAVE_shmem_init
WRAPPER(void, shmem_init, (void)) {
  CALL(shmem_init)();
  pgas_shmem_begin();
}
#endif

#ifdef HAVE_shmem_init_thread
WRAPPER(int, shmem_init_thread, (int requested, int *provided)) {
  int result = CALL(shmem_init_thread)(requested, provided);
  if (result == 0) pgas_shmem_begin();
  return result;
}
#endif

/* The name of SHMEM before OpenSHMEM; such programs do not end the library. */
#ifdef HAVE_start_pes
WRAPPER(void, start_pes, (int pes)) {
  CALL(start_pes)(pes);
  pgas_shmem_begin();
}
#endif

/* ---- Recording on demand ---- */

/* The library's own profiling, if it has any, keeps its setting. */
#ifdef HAVE_shmem_pcontrol
WRAPPER(void, shmem_pcontrol, (int level, ...)) {
  if (pgas_call_recorder) pgas_control(pgas_call_recorder, level > 0);
}
#endif

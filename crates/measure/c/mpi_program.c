/* MPI: begin and end of the program.
 *
 * The recording of an MPI program begins when MPI is initialised, with the function main, and ends
 * when all processes are in MPI_Finalize. In a program of another model, which begins and ends the
 * recording, MPI_Init is where processes become known, if they are not yet, and MPI_Finalize is a
 * call like others. */
#include <stdlib.h>

#include "mpi_program.h"

#include "mpi_clocks.h"
#include "program_end.h"

/* ---- End by one process ---- */

void pgas_mpi_end_alone(struct pgas_mpi_call *call, int status) {
  call->call.region = PGAS_NONCOLLECTIVE_EXIT;
  pgas_enter_call_end(call->recorder, &call->call, status);
  pgas_mpi_exit(call);
  pgas_finish(call->recorder);
  call->recorder = NULL;
}

void pgas_mpi_control(int level) {
  if (pgas_call_recorder) pgas_control(pgas_call_recorder, level > 0);
}

#ifdef PGAS_MPI_JOINED

void pgas_mpi_begin_program(void) { pgas_mpi_learn_threads(); }

void pgas_mpi_enter_finalize(struct pgas_mpi_call *call) {
  if (begin_call(call)) pgas_mpi_enter_plain(call);
}

void pgas_mpi_exit_finalize(struct pgas_mpi_call *call) {
  if (call->recorder) pgas_mpi_exit(call);
  end_call(call);
}

#else

__thread pgas_recorder *pgas_call_recorder;
int pgas_call_thread, pgas_call_threads;

/* gfortran's name for the main program; that of other programs. */
extern void MAIN__(void) __attribute__((weak));
extern int main() __attribute__((weak));

static int is_begun, is_over;

/* ---- Begin ---- */

/* The program ends without MPI_Finalize. */
static void at_exit(int status) {
  struct pgas_mpi_call call = {.call = {PGAS_NONCOLLECTIVE_EXIT, "exit", NULL}};
  if (begin_call(&call) && !is_over) pgas_mpi_end_alone(&call, status);
}
DEFINE_END(at_exit)

static void enter_main(pgas_recorder *recorder) {
  if (MAIN__) pgas_enter_function(recorder, (const void *)MAIN__);
  else if (main) pgas_enter_function(recorder, (const void *)main);
  else pgas_enter(recorder, PGAS_FUNCTION, NULL, 0, "main");
}

/* Processes that other processes have created have an MPI_COMM_WORLD of their own, and are no
 * threads of the experiment. */
void pgas_mpi_begin_program(void) {
  MPI_Comm parent = MPI_COMM_NULL;
  if (is_begun) return;
  is_begun = 1;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &pgas_call_thread);
  PMPI_Comm_size(MPI_COMM_WORLD, &pgas_call_threads);
  pgas_name_runtime("mpi");
  pgas_recorder *recorder = pgas_open(pgas_call_thread, pgas_call_threads);
  pgas_mpi_learn_threads();
  PMPI_Barrier(MPI_COMM_WORLD);
  pgas_mpi_compare_clocks(recorder, 0);
  if (!recorder) return;
  enter_main(recorder);
  AT_EXIT(at_exit);
  pgas_call_recorder = recorder;
}

/* ---- End ---- */

/* All processes come here; MPI may wait for all, so this may, too. */
void pgas_mpi_enter_finalize(struct pgas_mpi_call *call) {
  if (!pgas_call_threads || is_over) return;
  is_over = 1;
  pgas_call barrier = {PGAS_BARRIER, call->call.name, call->call.caller};
  if (begin_call(call)) {
    call->call.region = PGAS_COLLECTIVE_EXIT;
    pgas_enter_call_end(call->recorder, &call->call, 0);
    pgas_enter_call_barrier(call->recorder, &barrier);
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  if (call->recorder) {
    pgas_exit_call(call->recorder, &barrier);
    pgas_mpi_exit(call);
  }
  pgas_mpi_compare_clocks(call->recorder, 1);
  if (call->recorder) pgas_finish(call->recorder);
}

void pgas_mpi_exit_finalize(struct pgas_mpi_call *call) { (void)call; }

#endif

/* ---- Functions ---- */

#define WRAPPER(name, parameters)                         \
  extern int wrapper_of_##name parameters __asm__(#name); \
  int wrapper_of_##name parameters

WRAPPER(MPI_Init, (int *count, char ***arguments)) {
  int result = PMPI_Init(count, arguments);
  if (result == MPI_SUCCESS) pgas_mpi_begin_program();
  return result;
}

WRAPPER(MPI_Init_thread, (int *count, char ***arguments, int required, int *provided)) {
  int result = PMPI_Init_thread(count, arguments, required, provided);
  if (result == MPI_SUCCESS) pgas_mpi_begin_program();
  return result;
}

WRAPPER(MPI_Finalize, (void)) {
  struct pgas_mpi_call call = NEW_CALL("MPI_Finalize");
  pgas_mpi_enter_finalize(&call);
  int result = PMPI_Finalize();
  pgas_mpi_exit_finalize(&call);
  return result;
}

WRAPPER(MPI_Abort, (MPI_Comm comm, int status)) {
  struct pgas_mpi_call call = NEW_CALL("MPI_Abort");
  if (begin_call(&call)) pgas_mpi_end_alone(&call, status);
  return PMPI_Abort(comm, status);
}

WRAPPER(MPI_Pcontrol, (const int level, ...)) {
  pgas_mpi_control(level);
  return MPI_SUCCESS;
}

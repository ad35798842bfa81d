/* Coarray Fortran: begin and end of the program.
 *
 * The recording begins when the library is initialised, which gfortran's main does before it calls
 * the main program, and ends where all images are at the end: before the library closes down, which
 * takes time that is not the program's. A program whose main is not Fortran's does not initialise
 * the library that way, and is not recorded. */
#include "caf_clocks.h"
#include "caf_image.h"
#include "caf_library.h"

struct pgas_caf_image pgas_caf_image;
__thread pgas_recorder *pgas_call_recorder;
int pgas_call_thread, pgas_call_threads;

static int is_open;

/* gfortran's name for the main program. */
extern void MAIN__(void) __attribute__((weak));

extern int _gfortran_caf_this_image(int distance);
extern int _gfortran_caf_num_images(int distance, int failed);
extern void REAL(sync_all)(int *status, char *message, size_t message_length);

/* ---- Begin ---- */

static void open_recorder(void) {
  is_open = 1;
  pgas_caf_image.number = _gfortran_caf_this_image(0) - 1;
  pgas_caf_image.images = _gfortran_caf_num_images(0, -1);
  pgas_call_thread = pgas_caf_image.number;
  pgas_call_threads = pgas_caf_image.images;
  pgas_name_runtime("coarrays");
  pgas_recorder *recorder = pgas_open(pgas_caf_image.number, pgas_caf_image.images);
  pgas_caf_compare_clocks(recorder, 0);
  if (pgas_mpi_learn_threads) pgas_mpi_learn_threads();
  if (!recorder) return;
  if (MAIN__) pgas_enter_function(recorder, (const void *)MAIN__);
  pgas_call_recorder = recorder;
}

WRAPPER(void, init, (int *argc, char ***argv)) {
  REAL(init)(argc, argv);
  if (!is_open) open_recorder();
}

/* ---- End, which all images reach ---- */

/* The library waits for all images then, so this may, too. In a team, others may be elsewhere. */
static void wait_for_all(pgas_recorder *recorder, const char *name, const void *caller) {
  const pgas_call barrier = {PGAS_BARRIER, name, caller};
  int status = 0;
  if (!is_open || pgas_caf_image.team) return;
  if (recorder) pgas_enter_call_barrier(recorder, &barrier);
  REAL(sync_all)(&status, NULL, 0);
  if (recorder) pgas_exit_call(recorder, &barrier);
  pgas_caf_compare_clocks_again(recorder);
}

static void end_together(pgas_recorder *recorder, const char *name, const void *caller,
                         int status) {
  const pgas_call end = {PGAS_COLLECTIVE_EXIT, name, caller};
  if (recorder) pgas_enter_call_end(recorder, &end, status);
  wait_for_all(recorder, name, caller);
  if (!recorder) return;
  pgas_exit_call(recorder, &end);
  pgas_finish(recorder);
}

WRAPPER(void, finalize, (void)) {
  end_together(begin_call(), "end program", __builtin_return_address(0), 0);
  REAL(finalize)();
}

WRAPPER(void, stop_numeric, (int status, bool is_quiet)) {
  end_together(begin_call(), "stop", __builtin_return_address(0), status);
  REAL(stop_numeric)(status, is_quiet);
}

WRAPPER(void, stop_str, (const char *text, size_t length, bool is_quiet)) {
  end_together(begin_call(), "stop", __builtin_return_address(0), 0);
  REAL(stop_str)(text, length, is_quiet);
}

/* ---- End by one image ---- */

/* The library may end the process at once. */
static void end_alone(pgas_recorder *recorder, const char *name, const void *caller, int status) {
  const pgas_call end = {PGAS_NONCOLLECTIVE_EXIT, name, caller};
  if (!recorder) return;
  pgas_enter_call_end(recorder, &end, status);
  pgas_exit_call(recorder, &end);
  pgas_finish(recorder);
}

WRAPPER(void, error_stop, (int status, bool is_quiet)) {
  end_alone(begin_call(), "error stop", __builtin_return_address(0), status);
  REAL(error_stop)(status, is_quiet);
}

WRAPPER(void, error_stop_str, (const char *text, size_t length, bool is_quiet)) {
  end_alone(begin_call(), "error stop", __builtin_return_address(0), 1);
  REAL(error_stop_str)(text, length, is_quiet);
}

WRAPPER(void, fail_image, (void)) {
  end_alone(begin_call(), "fail image", __builtin_return_address(0), 0);
  REAL(fail_image)();
}

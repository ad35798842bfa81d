/* Functions of the program, where its compiler reports them (-finstrument-functions).
 *
 * Those that began before the library was initialised, main among them, are not known to the
 * recorder, and neither are those that other threads and the library are in. */
#include "shmem_wrapper.h"

/* Functions that are open, as far as the recorder knows them. */
static __thread long open_functions;

void __cyg_profile_func_enter(void *function, void *caller) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *caller) __attribute__((no_instrument_function));

void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  if (!pgas_call_recorder) return;
  open_functions++;
  pgas_enter_function(pgas_call_recorder, function);
}

void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  if (!pgas_call_recorder || open_functions == 0) return;
  open_functions--;
  pgas_exit_function(pgas_call_recorder, function);
}

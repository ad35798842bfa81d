/* Functions of the program, where its compiler reports them (-finstrument-functions).
 *
 * The main program is entered when the recording begins, whether or not it is reported, so that
 * every call has a function around it. */
#include "caf_image.h"

extern void MAIN__(void) __attribute__((weak));

void __cyg_profile_func_enter(void *function, void *caller) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *caller) __attribute__((no_instrument_function));

/* Functions that are open, as far as the recorder knows them. */
static __thread long open_functions;

void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  if (!pgas_call_recorder || function == (void *)MAIN__) return;
  open_functions++;
  pgas_enter_function(pgas_call_recorder, function);
}

void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  if (!pgas_call_recorder || open_functions == 0 || function == (void *)MAIN__) return;
  open_functions--;
  pgas_exit_function(pgas_call_recorder, function);
}

/* Functions of the program, where its compiler reports them (-finstrument-functions). The file that
 * includes this defines RECORDER_AT(is_start), the recorder of the thread or null, and
 * IS_KNOWN(function), true for one that is recorded in another way.
 *
 * Functions that began before the recording are not known to the recorder, which ignores their
 * ends; neither are those that other threads and the library are in. */
#ifndef PGAS_FUNCTION_HOOKS_H
#define PGAS_FUNCTION_HOOKS_H

void __cyg_profile_func_enter(void *function, void *caller) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *caller) __attribute__((no_instrument_function));

void __cyg_profile_func_enter(void *function, void *caller) {
  pgas_recorder *recorder = RECORDER_AT(1);
  if (recorder && !IS_KNOWN(function)) pgas_enter_function_of(recorder, function, caller);
}

void __cyg_profile_func_exit(void *function, void *caller) {
  pgas_recorder *recorder = RECORDER_AT(0);
  if (recorder && !IS_KNOWN(function)) pgas_exit_function_of(recorder, function, caller);
}

#endif

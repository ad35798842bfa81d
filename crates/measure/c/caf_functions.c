/* Coarray Fortran: functions of the program, where its compiler reports them. The main program is
 * entered when the recording begins, whether or not it is reported, so that every call has a
 * function around it. */
#include "caf_image.h"

extern void MAIN__(void) __attribute__((weak));

#define RECORDER pgas_call_recorder
#define RECORDER_AT(is_start) RECORDER
#define IS_KNOWN(function) ((function) == (void *)MAIN__)
#include "function_hooks.h"
#include "function_jumps.h"

/* OpenSHMEM: functions of the program, where its compiler reports them. */
#include "shmem_wrapper.h"

#define RECORDER pgas_call_recorder
#define RECORDER_AT(is_start) RECORDER
#define IS_KNOWN(function) 0
#include "function_hooks.h"
#include "function_jumps.h"

/* Calls of a library and functions that are known by the addresses of their code. */
#include "pgas_measure.h"

/* A library, which asks where it returns to. */
__attribute__((noinline)) static void call(pgas_recorder *recorder, int region, const char *name) {
  pgas_call call = {region, name, __builtin_return_address(0)};
  switch (region) {
  case PGAS_BARRIER:
    pgas_enter_call_barrier(recorder, &call);
    break;
  case PGAS_PUT:
    pgas_enter_call_transfer(recorder, &call, 0, 64, 8);
    break;
  case PGAS_POST:
    pgas_enter_call_object(recorder, &call, 7, 1);
    break;
  case PGAS_REDUCE:
    pgas_enter_call(recorder, &call);
    pgas_exit_call_collective(recorder, &call, -1, 8, 16, PGAS_ALLSYNC, PGAS_ALLSYNC);
    return;
  default:
    pgas_enter_call(recorder, &call);
  }
  pgas_exit_call(recorder, &call);
}

__attribute__((noinline)) static void work(pgas_recorder *recorder) {
  pgas_enter_function(recorder, (const void *)work);
  call(recorder, PGAS_PUT, "shmem_long_p"); /* first put */
  call(recorder, PGAS_PUT, "shmem_long_p"); /* second put */
  call(recorder, PGAS_POST, "event post");
  pgas_exit_function(recorder, (const void *)work);
}

__attribute__((noinline)) static void region(pgas_recorder *recorder, int begins) {
  pgas_call call = {PGAS_USER_REGION, "phase", __builtin_return_address(0)};
  if (begins)
    pgas_enter_call(recorder, &call);
  else
    pgas_exit_call(recorder, &call);
}

/* Left without notice, as by longjmp. */
__attribute__((noinline)) static void left(pgas_recorder *recorder) {
  pgas_enter_function(recorder, (const void *)left);
}

int main(void) {
  pgas_recorder *recorder = pgas_open(0, 1);
  pgas_enter_function(recorder, (const void *)main);
  for (int i = 0; i < 3; i++)
    work(recorder);
  region(recorder, 1);
  region(recorder, 0);
  left(recorder);
  call(recorder, PGAS_REDUCE, "shmem_long_sum_reduce");
  call(recorder, PGAS_BARRIER, "shmem_barrier_all");
  call(recorder, PGAS_BARRIER, "shmem_sync_all");
  pgas_enter(recorder, PGAS_LIBRARY_CALL, "a.c", 5, 0);
  pgas_exit(recorder, PGAS_LIBRARY_CALL, 0);
  pgas_exit_function(recorder, (const void *)main);
  pgas_finish(recorder);
  return 0;
}

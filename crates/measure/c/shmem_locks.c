/* OpenSHMEM: locks. A lock is known by its place in symmetric memory. */
#include "shmem_wrapper.h"

static inline uint64_t number_of(volatile long *lock) { return symmetric_address((void *)lock); }

#ifdef HAVE_shmem_set_lock
WRAPPER(void, shmem_set_lock, (volatile long *lock)) {
  const pgas_call call = THIS_CALL(PGAS_LOCK, shmem_set_lock);
  pgas_recorder *recorder = begin_call();
  if (LIKELY(recorder)) pgas_enter_call_lock(recorder, &call, number_of(lock));
  CALL(shmem_set_lock)(lock);
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call);
  end_call(recorder);
}
#endif

#ifdef HAVE_shmem_clear_lock
WRAPPER(void, shmem_clear_lock, (volatile long *lock)) {
  const pgas_call call = THIS_CALL(PGAS_UNLOCK, shmem_clear_lock);
  pgas_recorder *recorder = begin_call();
  if (LIKELY(recorder)) pgas_enter_call_lock(recorder, &call, number_of(lock));
  CALL(shmem_clear_lock)(lock);
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call);
  end_call(recorder);
}
#endif

/* Returns 0 if the lock was free and is the caller's now. */
#ifdef HAVE_shmem_test_lock
WRAPPER(int, shmem_test_lock, (volatile long *lock)) {
  const pgas_call call = THIS_CALL(PGAS_LOCK_ATTEMPT, shmem_test_lock);
  pgas_recorder *recorder = begin_call();
  if (LIKELY(recorder)) pgas_enter_call_lock(recorder, &call, number_of(lock));
  int is_taken = CALL(shmem_test_lock)(lock);
  if (LIKELY(recorder)) pgas_exit_call_lock_attempt(recorder, &call, !is_taken);
  end_call(recorder);
  return is_taken;
}
#endif

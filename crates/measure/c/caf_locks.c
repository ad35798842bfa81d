/* Coarray Fortran: locks, and critical constructs, which are locks that gfortran makes. */
#include "caf_image.h"
#include "caf_numbers.h"

static const char *name_of(caf_token token, const char *of_lock, const char *of_critical) {
  return pgas_caf_is_critical(token) ? of_critical : of_lock;
}

WRAPPER(void, lock,
        (caf_token token, size_t index, int image, int *acquired, int *status, char *message,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call =
      THIS_CALL(acquired ? PGAS_LOCK_ATTEMPT : PGAS_LOCK, name_of(token, "lock", "critical"));
  if (recorder)
    pgas_enter_call_lock(recorder, &call, pgas_caf_object(token, index, initial_image(image)));
  REAL(lock)(token, index, image, acquired, status, message, message_length);
  if (recorder && acquired) pgas_exit_call_lock_attempt(recorder, &call, *acquired);
  else if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, unlock,
        (caf_token token, size_t index, int image, int *status, char *message,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_UNLOCK, name_of(token, "unlock", "end critical"));
  if (recorder)
    pgas_enter_call_lock(recorder, &call, pgas_caf_object(token, index, initial_image(image)));
  REAL(unlock)(token, index, image, status, message, message_length);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

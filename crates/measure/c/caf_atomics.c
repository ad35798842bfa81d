/* Coarray Fortran: atomic subroutines. */
#include "caf_image.h"
#include "caf_numbers.h"

static void enter_atomic(pgas_recorder *recorder, const pgas_call *call, caf_token token,
                         size_t offset, int image, int kind) {
  pgas_enter_call_transfer(recorder, call, initial_image(image), pgas_caf_address(token, offset),
                           (uint64_t)kind);
}

WRAPPER(void, atomic_define,
        (caf_token token, size_t offset, int image, void *value, int *status, int type, int kind)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_ATOMIC, "atomic_define");
  if (recorder) enter_atomic(recorder, &call, token, offset, image, kind);
  REAL(atomic_define)(token, offset, image, value, status, type, kind);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, atomic_ref,
        (caf_token token, size_t offset, int image, void *value, int *status, int type, int kind)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_ATOMIC, "atomic_ref");
  if (recorder) enter_atomic(recorder, &call, token, offset, image, kind);
  REAL(atomic_ref)(token, offset, image, value, status, type, kind);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, atomic_cas,
        (caf_token token, size_t offset, int image, void *old, void *compare, void *new,
         int *status, int type, int kind)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_ATOMIC, "atomic_cas");
  if (recorder) enter_atomic(recorder, &call, token, offset, image, kind);
  REAL(atomic_cas)(token, offset, image, old, compare, new, status, type, kind);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

static const char *name_of(int operation, int is_fetch) {
  static const char *const names[][2] = {{"atomic_add", "atomic_fetch_add"},
                                         {"atomic_and", "atomic_fetch_and"},
                                         {"atomic_or", "atomic_fetch_or"},
                                         {"atomic_xor", "atomic_fetch_xor"}};
  return operation >= 1 && operation <= 4 ? names[operation - 1][is_fetch] : "atomic operation";
}

WRAPPER(void, atomic_op,
        (int operation, caf_token token, size_t offset, int image, void *value, void *old,
         int *status, int type, int kind)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_ATOMIC, name_of(operation, old != NULL));
  if (recorder) enter_atomic(recorder, &call, token, offset, image, kind);
  REAL(atomic_op)(operation, token, offset, image, value, old, status, type, kind);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

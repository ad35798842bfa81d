/* Coarray Fortran: intrinsic procedures that the library has a part in, of which the name alone is
 * known: states of images, and how random numbers begin. */
#include "caf_image.h"
#include "caf_library.h"

OPTIONAL(void, failed_images, (caf_section * images, caf_team *team, int *kind))
OPTIONAL(void, stopped_images, (caf_section * images, caf_team *team, int *kind))
OPTIONAL(int, image_status, (int image, caf_team *team))
OPTIONAL(void, random_init, (bool is_repeatable, bool is_distinct))

static pgas_recorder *enter(const pgas_call *call, int is_there) {
  demand(is_there, call->name);
  pgas_recorder *recorder = begin_call();
  if (recorder) pgas_enter_call(recorder, call);
  return recorder;
}

static void leave(pgas_recorder *recorder, const pgas_call *call) {
  if (recorder) pgas_exit_call(recorder, call);
  end_call(recorder);
}

WRAPPER(void, failed_images, (caf_section * images, caf_team *team, int *kind)) {
  const pgas_call call = THIS_CALL(PGAS_LIBRARY_CALL, "failed_images");
  pgas_recorder *recorder = enter(&call, REAL(failed_images) != NULL);
  REAL(failed_images)(images, team, kind);
  leave(recorder, &call);
}

WRAPPER(void, stopped_images, (caf_section * images, caf_team *team, int *kind)) {
  const pgas_call call = THIS_CALL(PGAS_LIBRARY_CALL, "stopped_images");
  pgas_recorder *recorder = enter(&call, REAL(stopped_images) != NULL);
  REAL(stopped_images)(images, team, kind);
  leave(recorder, &call);
}

WRAPPER(int, image_status, (int image, caf_team *team)) {
  const pgas_call call = THIS_CALL(PGAS_LIBRARY_CALL, "image_status");
  pgas_recorder *recorder = enter(&call, REAL(image_status) != NULL);
  int status = REAL(image_status)(image, team);
  leave(recorder, &call);
  return status;
}

WRAPPER(void, random_init, (bool is_repeatable, bool is_distinct)) {
  const pgas_call call = THIS_CALL(PGAS_LIBRARY_CALL, "random_init");
  pgas_recorder *recorder = enter(&call, REAL(random_init) != NULL);
  REAL(random_init)(is_repeatable, is_distinct);
  leave(recorder, &call);
}

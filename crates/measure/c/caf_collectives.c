/* Coarray Fortran: collective subroutines.
 *
 * They pass data on, and do not synchronise beyond that. Partial results are as large as the
 * argument: each image but the root passes on one, and where all have the result, gets it. */
#include "caf_image.h"
#include "caf_sections.h"

/* The kind of region of a reduction; image 0: all images have the result. */
static int reduction(int image) { return image ? PGAS_REDUCE : PGAS_GATHER_ALL; }

static int flow_of(int region) {
  switch (region) {
    case PGAS_BROADCAST: return PGAS_FLOW_FROM_ROOT;
    case PGAS_REDUCE: return PGAS_FLOW_TO_ROOT;
    default: return PGAS_FLOW_ALL;
  }
}

static pgas_call call_in_team(const pgas_call *call) {
  pgas_call in_team = *call;
  if (pgas_caf_image.team) in_team.region = PGAS_GROUP_COLLECTIVE;
  return in_team;
}

/* `call` has the kind of region for an operation of all images; the root is this image of the
 * current team; 0: none. */
static void enter_collective(pgas_recorder *recorder, const pgas_call *call, int image) {
  if (!recorder) return;
  const pgas_call actual = call_in_team(call);
  if (pgas_caf_image.team)
    enter_team_operation(recorder, &actual, flow_of(call->region),
                         image ? initial_image(image) : -1);
  else pgas_enter_call(recorder, &actual);
}

static void exit_collective(pgas_recorder *recorder, const pgas_call *call, int image,
                            uint64_t bytes) {
  if (!recorder) return;
  uint64_t others = (uint64_t)current_images() - 1;
  int root = image ? initial_image(image) : -1;
  int is_root = root == pgas_caf_image.number;
  uint64_t one = others ? bytes : 0, of_root = bytes * others;
  uint64_t sent = one, received = one;
  if (call->region == PGAS_BROADCAST) {
    sent = is_root ? of_root : 0;
    received = is_root ? 0 : one;
  } else if (call->region == PGAS_REDUCE) {
    sent = is_root ? 0 : one;
    received = is_root ? of_root : 0;
  }
  const pgas_call actual = call_in_team(call);
  pgas_exit_call_collective(recorder, &actual, root, sent, received, PGAS_MYSYNC, PGAS_MYSYNC);
}

WRAPPER(void, co_broadcast,
        (caf_section * data, int image, int *status, char *message, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_BROADCAST, "co_broadcast");
  enter_collective(recorder, &call, image);
  REAL(co_broadcast)(data, image, status, message, message_length);
  exit_collective(recorder, &call, image, section_bytes(data, NULL));
  end_call(recorder);
}

WRAPPER(void, co_sum,
        (caf_section * data, int image, int *status, char *message, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(reduction(image), "co_sum");
  enter_collective(recorder, &call, image);
  REAL(co_sum)(data, image, status, message, message_length);
  exit_collective(recorder, &call, image, section_bytes(data, NULL));
  end_call(recorder);
}

WRAPPER(void, co_max,
        (caf_section * data, int image, int *status, char *message, int length,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(reduction(image), "co_max");
  enter_collective(recorder, &call, image);
  REAL(co_max)(data, image, status, message, length, message_length);
  exit_collective(recorder, &call, image, section_bytes(data, NULL));
  end_call(recorder);
}

WRAPPER(void, co_min,
        (caf_section * data, int image, int *status, char *message, int length,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(reduction(image), "co_min");
  enter_collective(recorder, &call, image);
  REAL(co_min)(data, image, status, message, length, message_length);
  exit_collective(recorder, &call, image, section_bytes(data, NULL));
  end_call(recorder);
}

WRAPPER(void, co_reduce,
        (caf_section * data, void *(*operation)(void *, void *), int flags, int image, int *status,
         char *message, int length, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(reduction(image), "co_reduce");
  enter_collective(recorder, &call, image);
  REAL(co_reduce)(data, operation, flags, image, status, message, length, message_length);
  exit_collective(recorder, &call, image, section_bytes(data, NULL));
  end_call(recorder);
}

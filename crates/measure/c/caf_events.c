/* Coarray Fortran: events. */
#include "caf_image.h"
#include "caf_numbers.h"

WRAPPER(void, event_post,
        (caf_token token, size_t index, int image, int *status, char *message,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_POST, "event post");
  if (recorder)
    pgas_enter_call_object(recorder, &call, pgas_caf_object(token, index, initial_image(image)), 1);
  REAL(event_post)(token, index, image, status, message, message_length);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, event_wait,
        (caf_token token, size_t index, int until_count, int *status, char *message,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_EVENT_WAIT, "event wait");
  if (recorder)
    pgas_enter_call_object(recorder, &call, pgas_caf_object(token, index, pgas_caf_image.number),
                           until_count > 0 ? (uint64_t)until_count : 1);
  REAL(event_wait)(token, index, until_count, status, message, message_length);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, event_query, (caf_token token, size_t index, int image, int *count, int *status)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_ATOMIC, "event_query");
  if (recorder)
    pgas_enter_call_transfer(recorder, &call, initial_image(image),
                             pgas_caf_address(token, index * sizeof(int)), sizeof(int));
  REAL(event_query)(token, index, image, count, status);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

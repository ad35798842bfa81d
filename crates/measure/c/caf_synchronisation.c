/* Coarray Fortran: synchronisation of images. */
#include "caf_image.h"
#include "caf_library.h"

WRAPPER(void, sync_all, (int *status, char *message, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  int is_of_all = !pgas_caf_image.team;
  const pgas_call call = THIS_CALL(is_of_all ? PGAS_BARRIER : PGAS_GROUP_COLLECTIVE, "sync all");
  if (recorder && is_of_all) pgas_enter_call_barrier(recorder, &call);
  else if (recorder) enter_team_operation(recorder, &call, PGAS_FLOW_ALL, -1);
  REAL(sync_all)(status, message, message_length);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, sync_memory, (int *status, char *message, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_FENCE, "sync memory");
  if (recorder) pgas_enter_call(recorder, &call);
  REAL(sync_memory)(status, message, message_length);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

/* ---- sync images ---- */

/* What an image says to another one by executing sync images. */
static uint64_t pair(int from, int to) {
  return (uint64_t)1 << 63 | (uint64_t)from << 31 | (uint64_t)to;
}

static void report(pgas_recorder *recorder, const pgas_call *call, uint64_t object) {
  pgas_enter_call_object(recorder, call, object, 1);
  pgas_exit_call(recorder, call);
}

/* The partners are `count` images; -1: all. Each pair is two events, of one image and of the other
 * one, without any length: what passes between them takes place somewhere in the call around. */
static void report_partners(pgas_recorder *recorder, const pgas_call *call, int count,
                            const int *images) {
  int own = pgas_caf_image.number;
  for (int i = 0; i < (count < 0 ? current_images() : count); i++) {
    int partner = initial_image(count < 0 ? i + 1 : images[i]);
    if (partner == own) continue;
    int is_post = call->region == PGAS_POST;
    report(recorder, call, is_post ? pair(own, partner) : pair(partner, own));
  }
}

WRAPPER(void, sync_images,
        (int count, int images[], int *status, char *message, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_PARTNER_SYNC, "sync images");
  const pgas_call post = {PGAS_POST, "arrives", call.caller};
  const pgas_call wait = {PGAS_EVENT_WAIT, "partner has arrived", call.caller};
  if (recorder) {
    pgas_enter_call(recorder, &call);
    report_partners(recorder, &post, count, images);
  }
  REAL(sync_images)(count, images, status, message, message_length);
  if (recorder) {
    /* An image that has stopped or failed does not arrive. */
    if (!status || *status == 0) report_partners(recorder, &wait, count, images);
    pgas_exit_call(recorder, &call);
  }
  end_call(recorder);
}

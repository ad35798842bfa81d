/* Coarray Fortran: coindexed data, that is expressions and assignments with square brackets.
 *
 * A single element is a get or a put; more are a block. */
#include "caf_image.h"
#include "caf_references.h"

static void enter_copy(pgas_recorder *recorder, const pgas_call *call, int source_image,
                       uint64_t source_address, int destination_image, uint64_t destination_address,
                       uint64_t bytes) {
  pgas_enter_call_copy(recorder, call, initial_image(source_image), source_address,
                       initial_image(destination_image), destination_address, bytes);
}

/* ---- Coarrays of types without allocated components ---- */

WRAPPER(void, get,
        (caf_token token, size_t offset, int image, caf_section *there, caf_subscript *subscripts,
         caf_section *here, int kind_there, int kind_here, bool may_overlap, int *status)) {
  pgas_recorder *recorder = begin_call();
  uint64_t number = elements(there, subscripts);
  const pgas_call call = THIS_CALL(number == 1 ? PGAS_GET : PGAS_MEMGET, "get");
  if (LIKELY(recorder))
    pgas_enter_call_transfer(recorder, &call, initial_image(image), pgas_caf_address(token, offset),
                             number * there->element_bytes);
  REAL(get)(token, offset, image, there, subscripts, here, kind_there, kind_here, may_overlap,
            status);
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, send,
        (caf_token token, size_t offset, int image, caf_section *there, caf_subscript *subscripts,
         caf_section *here, int kind_there, int kind_here, bool may_overlap, int *status,
         void *team)) {
  pgas_recorder *recorder = begin_call();
  uint64_t number = elements(there, subscripts);
  const pgas_call call = THIS_CALL(number == 1 ? PGAS_PUT : PGAS_MEMPUT, "put");
  if (LIKELY(recorder))
    pgas_enter_call_transfer(recorder, &call, initial_image(image), pgas_caf_address(token, offset),
                             number * there->element_bytes);
  REAL(send)(token, offset, image, there, subscripts, here, kind_there, kind_here, may_overlap,
             status, team);
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, sendget,
        (caf_token to, size_t to_offset, int to_image, caf_section *destination,
         caf_subscript *to_subscripts, caf_token from, size_t from_offset, int from_image,
         caf_section *source, caf_subscript *from_subscripts, int to_kind, int from_kind,
         bool may_overlap, int *status)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_MEMCPY, "copy between images");
  if (recorder)
    enter_copy(recorder, &call, from_image, pgas_caf_address(from, from_offset), to_image,
               pgas_caf_address(to, to_offset), section_bytes(destination, to_subscripts));
  REAL(sendget)(to, to_offset, to_image, destination, to_subscripts, from, from_offset, from_image,
                source, from_subscripts, to_kind, from_kind, may_overlap, status);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

/* ---- Parts of derived types ---- */

/* Elements of a part; where only its image knows their number, as many as the local section has. A
 * variable that a get allocates has none yet. */
static uint64_t elements_moved(const caf_reference *part, const caf_section *here) {
  uint64_t number = part_elements(part);
  if (number != UNKNOWN) return number;
  return here->base ? elements(here, NULL) : 0;
}

WRAPPER(void, get_by_ref,
        (caf_token token, int image, caf_section *here, caf_reference *part, int kind_here,
         int kind_there, bool may_overlap, bool may_allocate, int *status, int type_there)) {
  pgas_recorder *recorder = begin_call();
  uint64_t number = elements_moved(part, here);
  const pgas_call call = THIS_CALL(number == 1 ? PGAS_GET : PGAS_MEMGET, "get");
  if (recorder)
    pgas_enter_call_transfer(recorder, &call, initial_image(image), part_address(token, part),
                             number * part_element_bytes(part));
  REAL(get_by_ref)(token, image, here, part, kind_here, kind_there, may_overlap, may_allocate,
                   status, type_there);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, send_by_ref,
        (caf_token token, int image, caf_section *here, caf_reference *part, int kind_there,
         int kind_here, bool may_overlap, bool may_allocate, int *status, int type_there)) {
  pgas_recorder *recorder = begin_call();
  uint64_t number = elements_moved(part, here);
  const pgas_call call = THIS_CALL(number == 1 ? PGAS_PUT : PGAS_MEMPUT, "put");
  if (recorder)
    pgas_enter_call_transfer(recorder, &call, initial_image(image), part_address(token, part),
                             number * part_element_bytes(part));
  REAL(send_by_ref)(token, image, here, part, kind_there, kind_here, may_overlap, may_allocate,
                    status, type_there);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, sendget_by_ref,
        (caf_token to, int to_image, caf_reference *destination, caf_token from, int from_image,
         caf_reference *source, int to_kind, int from_kind, bool may_overlap, int *to_status,
         int *from_status, int to_type, int from_type)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_MEMCPY, "copy between images");
  if (recorder) {
    uint64_t number = part_elements(source);
    if (number == UNKNOWN) number = part_elements(destination);
    if (number == UNKNOWN) number = 0;
    enter_copy(recorder, &call, from_image, part_address(from, source), to_image,
               part_address(to, destination), number * part_element_bytes(source));
  }
  REAL(sendget_by_ref)(to, to_image, destination, from, from_image, source, to_kind, from_kind,
                       may_overlap, to_status, from_status, to_type, from_type);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

/* allocated() and associated() of a component on another image, where a pointer is looked at. */
WRAPPER(int, is_present, (caf_token token, int image, caf_reference *part)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GET, "allocated");
  if (recorder) pgas_enter_call_transfer(recorder, &call, initial_image(image), 0, sizeof(void *));
  int result = REAL(is_present)(token, image, part);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
  return result;
}

/* Coarray Fortran: coarrays that come and go.
 *
 * Those that the program declares are registered before it begins, and so before it is recorded.
 * Allocation and deallocation of a coarray synchronise all images of the team; those of components
 * of a coarray's elements concern one image alone. */
#include "caf_image.h"
#include "caf_numbers.h"

static void enter_allocation(pgas_recorder *recorder, const pgas_call *call, uint64_t bytes) {
  if (call->region == PGAS_GROUP_COLLECTIVE)
    enter_team_operation(recorder, call, PGAS_FLOW_ALL, -1);
  else if (call->region == PGAS_ALLOC) pgas_enter_call_allocation(recorder, call, bytes);
  else pgas_enter_call_allocation(recorder, call, bytes * (uint64_t)pgas_caf_image.images);
}

/* The kind of region of what all images of the current team do. */
static int of_team(int region) { return pgas_caf_image.team ? PGAS_GROUP_COLLECTIVE : region; }

static int is_declared(int kind) {
  return kind == CAF_STATIC_COARRAY || kind == CAF_STATIC_LOCK || kind == CAF_STATIC_EVENT ||
         kind == CAF_CRITICAL;
}

static int is_of_component(int kind) {
  return kind == CAF_COMPONENT_TOKEN || kind == CAF_COMPONENT_MEMORY;
}

/* Locks and events are integers. */
static uint64_t bytes_of(int kind, size_t size) {
  int are_elements = kind == CAF_ALLOCATED_LOCK || kind == CAF_ALLOCATED_EVENT;
  return are_elements ? size * sizeof(int) : size;
}

WRAPPER(void, register,
        (size_t size, int kind, caf_token *token, caf_section *data, int *status, char *message,
         size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call =
      THIS_CALL(kind == CAF_COMPONENT_MEMORY ? PGAS_ALLOC : of_team(PGAS_ALL_ALLOC), "allocate");
  int is_recorded = recorder && !is_declared(kind) && kind != CAF_COMPONENT_TOKEN;
  if (is_recorded) enter_allocation(recorder, &call, bytes_of(kind, size));
  REAL(register)(size, kind, token, data, status, message, message_length);
  if (!is_of_component(kind)) pgas_caf_number(*token, kind);
  if (is_recorded) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, deregister,
        (caf_token * token, int kind, int *status, char *message, size_t message_length)) {
  pgas_recorder *recorder = begin_call();
  const pgas_call call =
      THIS_CALL(kind == CAF_MEMORY_ONLY ? PGAS_FREE : of_team(PGAS_ALL_FREE), "deallocate");
  if (kind != CAF_MEMORY_ONLY) pgas_caf_forget(*token);
  if (recorder && call.region == PGAS_GROUP_COLLECTIVE)
    enter_team_operation(recorder, &call, PGAS_FLOW_ALL, -1);
  else if (recorder) pgas_enter_call(recorder, &call);
  REAL(deregister)(token, kind, status, message, message_length);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

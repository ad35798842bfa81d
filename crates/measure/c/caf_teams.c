/* Coarray Fortran: teams.
 *
 * In a team, images have other numbers. Those of the initial team are found by a co_sum of the
 * team, one at each change. */
#include <stdio.h>
#include <stdlib.h>

#include "caf_image.h"
#include "caf_numbers.h"
#include "group_identity.h"

OPTIONAL(void, form_team, (int number, caf_team *team, int unused))
OPTIONAL(void, change_team, (caf_team * team, int unused))
OPTIONAL(void, end_team, (caf_team * team))
OPTIONAL(void, sync_team, (caf_team * team, int unused))

extern int _gfortran_caf_this_image(int distance);
extern int _gfortran_caf_num_images(int distance, int failed);
extern void REAL(co_sum)(caf_section *, int, int *, char *, size_t);

static void demand(int is_there, const char *statement) {
  if (is_there) return;
  fprintf(stderr, "the program's coarray library has no %s\n", statement);
  abort();
}

/* ---- Images of the current team ---- */

/* Its members; all of them take part. */
static void exchange_numbers(struct pgas_caf_team *team) {
  caf_section numbers = {.base = team->members,
                         .element_bytes = sizeof(int),
                         .rank = 1,
                         .type = CAF_INTEGER,
                         .span = sizeof(int),
                         .dimensions = {{1, 1, team->images}}};
  for (int i = 0; i < team->images; i++) team->members[i] = 0;
  team->members[_gfortran_caf_this_image(0) - 1] = pgas_caf_image.number;
  REAL(co_sum)(&numbers, 0, NULL, NULL, 0);
  team->identity = 1;
  for (int i = 0; i < team->images; i++)
    team->identity = identity_with(team->identity, (uint64_t)team->members[i]);
}

static void enter_team(void *handle) {
  int images = _gfortran_caf_num_images(0, -1);
  struct pgas_caf_team *team = malloc(sizeof *team + (size_t)images * sizeof *team->members);
  if (!team) {
    fprintf(stderr, "no memory for the measurement of a team\n");
    abort();
  }
  team->outer = pgas_caf_image.team;
  team->outer_coarrays = pgas_caf_last_number();
  team->handle = handle;
  team->images = images;
  exchange_numbers(team);
  pgas_caf_image.team = team;
}

static void leave_team(void) {
  struct pgas_caf_team *team = pgas_caf_image.team;
  if (!team) return;
  pgas_caf_image.team = team->outer;
  pgas_caf_return_to_number(team->outer_coarrays);
  free(team);
}

/* ---- Statements ---- */

/* Enters an operation that all images of a team of the program must execute before any goes on;
 * null: the initial team. */
static void enter_synchronisation(pgas_recorder *recorder, const pgas_call *call,
                                  const struct pgas_caf_team *team) {
  uint64_t identity = team ? team->identity : 0;
  int images = team ? team->images : pgas_caf_image.images;
  pgas_enter_call_group(recorder, call, identity, (uint32_t)images, PGAS_FLOW_ALL, -1);
}

/* The team of this handle among those that the image has changed to; null: none of them. */
static const struct pgas_caf_team *changed_to(const void *handle) {
  const struct pgas_caf_team *team = pgas_caf_image.team;
  while (team && team->handle != handle) team = team->outer;
  return team;
}

WRAPPER(void, form_team, (int number, caf_team *team, int unused)) {
  demand(REAL(form_team) != NULL, "form team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "form team");
  if (recorder) enter_synchronisation(recorder, &call, pgas_caf_image.team);
  REAL(form_team)(number, team, unused);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, change_team, (caf_team * team, int unused)) {
  demand(REAL(change_team) != NULL, "change team");
  pgas_recorder *recorder = begin_call();
  /* Its images are known when it is over. */
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "change team");
  if (recorder) pgas_enter_call(recorder, &call);
  REAL(change_team)(team, unused);
  enter_team(*team);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, end_team, (caf_team * team)) {
  demand(REAL(end_team) != NULL, "end team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "end team");
  if (recorder && pgas_caf_image.team) enter_synchronisation(recorder, &call, pgas_caf_image.team);
  else if (recorder) pgas_enter_call(recorder, &call);
  REAL(end_team)(team);
  leave_team();
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, sync_team, (caf_team * team, int unused)) {
  demand(REAL(sync_team) != NULL, "sync team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "sync team");
  const struct pgas_caf_team *known = changed_to(*team);
  if (recorder && known) enter_synchronisation(recorder, &call, known);
  else if (recorder) pgas_enter_call(recorder, &call);
  REAL(sync_team)(team, unused);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

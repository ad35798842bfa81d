/* Coarray Fortran: teams.
 *
 * In a team, images have other numbers. Those of the initial team are found by a co_sum of the
 * team, one at each change. */
#include <stdio.h>
#include <stdlib.h>

#include "caf_image.h"
#include "caf_numbers.h"

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
}

static void enter_team(void) {
  int images = _gfortran_caf_num_images(0, -1);
  struct pgas_caf_team *team = malloc(sizeof *team + (size_t)images * sizeof *team->members);
  if (!team) {
    fprintf(stderr, "no memory for the measurement of a team\n");
    abort();
  }
  team->outer = pgas_caf_image.team;
  team->outer_coarrays = pgas_caf_last_number();
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

WRAPPER(void, form_team, (int number, caf_team *team, int unused)) {
  demand(REAL(form_team) != NULL, "form team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "form team");
  if (recorder) pgas_enter_call(recorder, &call);
  REAL(form_team)(number, team, unused);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, change_team, (caf_team * team, int unused)) {
  demand(REAL(change_team) != NULL, "change team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "change team");
  if (recorder) pgas_enter_call(recorder, &call);
  REAL(change_team)(team, unused);
  enter_team();
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, end_team, (caf_team * team)) {
  demand(REAL(end_team) != NULL, "end team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "end team");
  if (recorder) pgas_enter_call(recorder, &call);
  REAL(end_team)(team);
  leave_team();
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, sync_team, (caf_team * team, int unused)) {
  demand(REAL(sync_team) != NULL, "sync team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "sync team");
  if (recorder) pgas_enter_call(recorder, &call);
  REAL(sync_team)(team, unused);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

/* Coarray Fortran: teams.
 *
 * In a team, images have other numbers. Those of the initial team are found by a co_sum of the
 * team, one at each change. Which images form a team together is found in the same way when it is
 * formed: so they are known when they wait for each other to change to it. */
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

/* ---- Images of the current team ---- */

/* Numbers of all images of the current team, of which each states its own; all take part. */
static void exchange(int own, int *numbers, int images) {
  caf_section section = {.base = numbers,
                         .element_bytes = sizeof(int),
                         .rank = 1,
                         .type = CAF_INTEGER,
                         .span = sizeof(int),
                         .dimensions = {{1, 1, images}}};
  for (int i = 0; i < images; i++) numbers[i] = 0;
  numbers[_gfortran_caf_this_image(0) - 1] = own;
  REAL(co_sum)(&section, 0, NULL, NULL, 0);
}

static void *memory(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory) return memory;
  fprintf(stderr, "no memory for the measurement of a team\n");
  abort();
}

static void exchange_numbers(struct pgas_caf_team *team) {
  exchange(pgas_caf_image.number, team->members, team->images);
  team->identity = 1;
  for (int i = 0; i < team->images; i++)
    team->identity = identity_with(team->identity, (uint64_t)team->members[i]);
}

static void enter_team(void *handle) {
  int images = _gfortran_caf_num_images(0, -1);
  struct pgas_caf_team *team = memory(sizeof *team + (size_t)images * sizeof *team->members);
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

/* ---- Teams that were formed ---- */

/* Libraries keep them until the end of the program, and so does this. */
struct formed {
  struct formed *before;
  const void *handle;
  uint64_t identity;
  int images;
};
static struct formed *last_formed;

/* Images of the current team that gave the same number are the team, in the order of their own
 * numbers: gfortran knows no other one. */
static void note_formed(int number, const void *handle) {
  int images = current_images();
  int *numbers = memory((size_t)images * sizeof *numbers);
  struct formed *team = memory(sizeof *team);
  *team = (struct formed){.before = last_formed, .handle = handle, .identity = 1};
  exchange(number, numbers, images);
  for (int i = 0; i < images; i++) {
    if (numbers[i] != number) continue;
    team->identity = identity_with(team->identity, (uint64_t)initial_image(i + 1));
    team->images++;
  }
  last_formed = team;
  free(numbers);
}

static const struct formed *formed(const void *handle) {
  const struct formed *team = last_formed;
  while (team && team->handle != handle) team = team->before;
  return team;
}

/* ---- Statements ---- */

/* Enters an operation that all images of the current team must execute before any goes on. */
static void enter_synchronisation(pgas_recorder *recorder, const pgas_call *call) {
  const struct pgas_caf_team *team = pgas_caf_image.team;
  uint64_t identity = team ? team->identity : 0;
  pgas_enter_call_group(recorder, call, identity, (uint32_t)current_images(), PGAS_FLOW_ALL, -1);
}

/* The same of the images of another team. */
static void enter_synchronisation_of(pgas_recorder *recorder, const pgas_call *call,
                                     const void *handle) {
  const struct formed *team = formed(handle);
  if (!team) pgas_enter_call(recorder, call);
  else
    pgas_enter_call_group(recorder, call, team->identity, (uint32_t)team->images, PGAS_FLOW_ALL,
                          -1);
}

WRAPPER(void, form_team, (int number, caf_team *team, int unused)) {
  demand(REAL(form_team) != NULL, "form team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "form team");
  if (recorder) enter_synchronisation(recorder, &call);
  REAL(form_team)(number, team, unused);
  note_formed(number, *team);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, change_team, (caf_team * team, int unused)) {
  demand(REAL(change_team) != NULL, "change team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "change team");
  if (recorder) enter_synchronisation_of(recorder, &call, *team);
  REAL(change_team)(team, unused);
  enter_team(*team);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

WRAPPER(void, end_team, (caf_team * team)) {
  demand(REAL(end_team) != NULL, "end team");
  pgas_recorder *recorder = begin_call();
  const pgas_call call = THIS_CALL(PGAS_GROUP_COLLECTIVE, "end team");
  if (recorder && pgas_caf_image.team) enter_synchronisation(recorder, &call);
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
  if (recorder) enter_synchronisation_of(recorder, &call, *team);
  REAL(sync_team)(team, unused);
  if (recorder) pgas_exit_call(recorder, &call);
  end_call(recorder);
}

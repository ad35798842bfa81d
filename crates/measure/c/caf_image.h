/* Coarray Fortran: the image, and whether a call of the library is recorded. */
#ifndef PGAS_CAF_IMAGE_H
#define PGAS_CAF_IMAGE_H

#include "call_recorder.h"
#include "pgas_measure.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* A team that the image has changed to. */
struct pgas_caf_team {
  struct pgas_caf_team *outer;
  uint32_t outer_coarrays; /* numbered before the change */
  void *handle;            /* what the library knows the team by */
  uint64_t identity;       /* the same on all its images */
  int images;
  int members[]; /* their numbers in the initial team, from 0 */
};

struct pgas_caf_image {
  int number, images;         /* in the initial team; the first image is 0 */
  struct pgas_caf_team *team; /* null: the initial one */
};
extern struct pgas_caf_image pgas_caf_image;

static inline pgas_recorder *begin_call(void) {
  pgas_recorder *recorder = pgas_call_recorder;
  if (LIKELY(recorder)) pgas_call_recorder = NULL;
  return recorder;
}

static inline void end_call(pgas_recorder *recorder) {
  if (LIKELY(recorder)) pgas_call_recorder = recorder;
}

/* Kind and name of a call, whose wrapper this is used in. */
#define THIS_CALL(region, name) {region, name, __builtin_return_address(0)}

/* The number in the initial team of an image of the current one; 0 stands for the own image. An
 * image that cannot be there makes the library complain, so any number does for it. */
static inline int initial_image(int image_index) {
  const struct pgas_caf_team *team = pgas_caf_image.team;
  if (image_index == 0) return pgas_caf_image.number;
  if (LIKELY(!team))
    return image_index > 0 && image_index <= pgas_caf_image.images ? image_index - 1 : 0;
  return image_index > 0 && image_index <= team->images ? team->members[image_index - 1] : 0;
}

/* Enters an operation of the current team, which is not the initial one. */
static inline void enter_team_operation(pgas_recorder *recorder, const pgas_call *call, int flow,
                                        int root) {
  const struct pgas_caf_team *team = pgas_caf_image.team;
  pgas_enter_call_group(recorder, call, team->identity, (uint32_t)team->images, flow, root);
}

/* Images of the current team. */
static inline int current_images(void) {
  return pgas_caf_image.team ? pgas_caf_image.team->images : pgas_caf_image.images;
}

#endif

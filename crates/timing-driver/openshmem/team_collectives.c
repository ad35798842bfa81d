/* Broadcasts, collections and exchanges over teams, of bytes. */
#include "blocks.h"
#include "families.h"

#if HAS_OPENSHMEM(1, 5)
#define APART (ptrdiff_t)of->layout.stride

#define COLLECTIVE(function, form, strided, describe, words, ...)                                  \
  static void call_##function(struct collective *of, void *dest, const void *source, long *sync) { \
    (void)sync;                                                                                    \
    shmem_##function(of->group.team, dest, source, __VA_ARGS__);                                   \
  }                                                                                                \
  static const struct collective_kind kind_##function = {                                          \
      .call = call_##function, .shape = form, .width = 1, .is_strided = strided, .has_team = 1};   \
  COLLECTIVE_OPERATION(function, describe TEAM_HELP, words TEAM_ARGUMENTS)

COLLECTIVE(broadcastmem, FROM_ROOT_TO_ALL, 0, "the root's block to all", "root=N ", of->elements,
           of->root)
COLLECTIVE(collectmem, TO_ALL, 0,
           "a block of each to all; blocks: of one size, or larger ones for higher PEs",
           "blocks=equal|rising ", collective_elements(of, of->group.index))
COLLECTIVE(fcollectmem, TO_ALL, 0, "a block of each, all of one size, to all", "", of->elements)
COLLECTIVE(alltoallmem, EACH_TO_EACH, 0, "a block of each to each", "", of->elements)
COLLECTIVE(alltoallsmem, EACH_TO_EACH, 1, "a block of each to each, bytes `stride` apart",
           "stride=N ", APART, APART, of->elements)
#endif

const pgas_operation *const pgas_shmem_team_collectives[] = {
#if HAS_OPENSHMEM(1, 5)
    &broadcastmem, &collectmem, &fcollectmem, &alltoallmem, &alltoallsmem,
#endif
    NULL,
};

/* Broadcasts, collections and exchanges over active sets. */
#include "blocks.h"
#include "families.h"

#define SET of->group.start, of->group.log_stride, of->group.size, sync
#define APART (ptrdiff_t)of->layout.stride

#define COLLECTIVE(function, bits, form, strided, describe, words, ...)                        \
  static void call_##function##bits(struct collective *of, void *dest, const void *source,     \
                                    long *sync) {                                              \
    shmem_##function##bits(dest, source, __VA_ARGS__, SET);                                    \
  }                                                                                            \
  static const struct collective_kind kind_##function##bits = {                                \
      .call = call_##function##bits, .shape = form, .width = bits / 8, .is_strided = strided}; \
  COLLECTIVE_OPERATION(function##bits, describe SET_HELP, words SET_ARGUMENTS)

#define OF_WIDTH(bits)                                                                             \
  COLLECTIVE(broadcast, bits, FROM_ROOT, 0, "the root's block to the others", "root=N ",           \
             of->elements, of->root)                                                               \
  COLLECTIVE(collect, bits, TO_ALL, 0,                                                             \
             "a block of each to all; blocks: of one size, or larger ones for higher PEs",         \
             "blocks=equal|rising ", collective_elements(of, of->group.index))                     \
  COLLECTIVE(fcollect, bits, TO_ALL, 0, "a block of each, all of one size, to all", "",            \
             of->elements)                                                                         \
  COLLECTIVE(alltoall, bits, EACH_TO_EACH, 0, "a block of each to each", "", of->elements)         \
  COLLECTIVE(alltoalls, bits, EACH_TO_EACH, 1, "a block of each to each, elements `stride` apart", \
             "stride=N ", APART, APART, of->elements)

OF_WIDTH(32)
OF_WIDTH(64)

const pgas_operation *const pgas_shmem_collectives[] = {
    &broadcast32, &broadcast64, &collect32,   &collect64,   &fcollect32, &fcollect64,
    &alltoall32,  &alltoall64,  &alltoalls32, &alltoalls64, NULL,
};

/* OpenSHMEM 1.5: teams, their collective operations and contexts. */
#include "shmem_group.h"
#include "shmem_types.h"

#ifdef HAVE_shmem_team_n_pes
REAL(int, shmem_team_n_pes, (shmem_team_t team))
#endif
#ifdef HAVE_shmem_team_translate_pe
REAL(int, shmem_team_translate_pe, (shmem_team_t from, int pe, shmem_team_t to))
#endif
#ifdef HAVE_shmem_ctx_get_team
REAL(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
#endif

#ifdef HAVE_shmem_team_sync
static inline int world_number(shmem_team_t team, int pe) {
  if (team == SHMEM_TEAM_WORLD) return pe;
#ifdef HAVE_shmem_team_translate_pe
  return CALL(shmem_team_translate_pe)(team, pe, SHMEM_TEAM_WORLD);
#else
  return pe;
#endif
}
#endif

/* ---- Members ---- */

#if defined HAVE_shmem_team_n_pes && defined HAVE_shmem_team_translate_pe
/* The team that was asked for last: a PE mostly works with one at a time. */
static struct {
  shmem_team_t team;
  struct group group;
  int is_known;
} latest;

static struct group work_out_group(shmem_team_t team) {
  int members = CALL(shmem_team_n_pes)(team);
  struct group group = {1, members > 0 ? (uint32_t)members : 0};
  for (int pe = 0; pe < members; pe++)
    group.identity = identity_with(group.identity, (uint64_t)world_number(team, pe));
  return group;
}

static struct group group_of(shmem_team_t team) {
  if (team == SHMEM_TEAM_WORLD) return all_pes();
  if (!latest.is_known || latest.team != team) {
    latest.team = team;
    latest.group = work_out_group(team);
    latest.is_known = 1;
  }
  return latest.group;
}

static inline void forget_team(void) { latest.is_known = 0; }
#elif defined HAVE_shmem_team_sync
/* The members cannot be asked for: each operation of a team is one of a group of its own. */
static struct group group_of(shmem_team_t team) {
  struct group unknown = {0, 0};
  return team == SHMEM_TEAM_WORLD ? all_pes() : unknown;
}

static inline void forget_team(void) {}
#endif

/* ---- Contexts of teams ---- */

/* The number among all PEs of a PE in a context. */
#ifdef HAVE_shmem_ctx_create
int pgas_shmem_world_pe(shmem_ctx_t ctx, int pe) {
#ifdef HAVE_shmem_ctx_get_team
  shmem_team_t team;
  if (CALL(shmem_ctx_get_team)(ctx, &team) == 0) return world_number(team, pe);
#endif
  (void)ctx;
  return pe;
}
#endif

#ifdef HAVE_shmem_team_create_ctx
WRAPPER(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx)) {
  const pgas_call call = THIS_CALL(PGAS_LIBRARY_CALL, shmem_team_create_ctx);
  pgas_recorder *recorder = begin_call();
  if (LIKELY(recorder)) pgas_enter_call(recorder, &call);
  int result = CALL(shmem_team_create_ctx)(team, options, ctx);
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call);
  end_call(recorder);
  if (team != SHMEM_TEAM_WORLD) pgas_shmem.team_contexts = 1;
  return result;
}
#endif

/* ---- Collective operations ---- */

#define TEAM_COLLECTIVE(name, region, parameters, arguments, traffic)                              \
  IF_HAVE(name)(WRAPPER(int, name, parameters) GROUP_CALL(name, region, arguments, group_of(team), \
                                                          traffic, int result =, return result;))

TEAM_COLLECTIVE(shmem_team_sync, PGAS_BARRIER, (shmem_team_t team), (team), no_traffic())

#define SAME_FROM_ALL(name, region, TYPE, bytes)                                         \
  TEAM_COLLECTIVE(name, region,                                                          \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, size_t elements), \
                  (team, dest, source, elements), to_all(group, elements *bytes))

#define COLLECTIVES(broadcast, collect, fcollect, alltoall, alltoalls, TYPE, bytes)                \
  TEAM_COLLECTIVE(broadcast, PGAS_BROADCAST,                                                       \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, size_t elements, int root), \
                  (team, dest, source, elements, root),                                            \
                  from_root(group, world_number(team, root), elements *bytes))                     \
  SAME_FROM_ALL(collect, PGAS_GATHER_ALL, TYPE, bytes)                                             \
  SAME_FROM_ALL(fcollect, PGAS_GATHER_ALL, TYPE, bytes)                                            \
  SAME_FROM_ALL(alltoall, PGAS_EXCHANGE, TYPE, bytes)                                              \
  TEAM_COLLECTIVE(alltoalls, PGAS_EXCHANGE,                                                        \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, ptrdiff_t dest_stride,      \
                   ptrdiff_t source_stride, size_t elements),                                      \
                  (team, dest, source, dest_stride, source_stride, elements),                      \
                  to_all(group, elements *bytes))

#define TYPED_COLLECTIVES(NAME, TYPE)                                                    \
  COLLECTIVES(shmem_##NAME##_broadcast, shmem_##NAME##_collect, shmem_##NAME##_fcollect, \
              shmem_##NAME##_alltoall, shmem_##NAME##_alltoalls, TYPE, sizeof(TYPE))

FOR_TYPES(TYPED_COLLECTIVES)
COLLECTIVES(shmem_broadcastmem, shmem_collectmem, shmem_fcollectmem, shmem_alltoallmem,
            shmem_alltoallsmem, void, 1)

#define REDUCTIONS(NAME, TYPE)                                                  \
  SAME_FROM_ALL(shmem_##NAME##_and_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE)) \
  SAME_FROM_ALL(shmem_##NAME##_or_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE))  \
  SAME_FROM_ALL(shmem_##NAME##_xor_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE)) \
  SAME_FROM_ALL(shmem_##NAME##_max_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE)) \
  SAME_FROM_ALL(shmem_##NAME##_min_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE)) \
  SAME_FROM_ALL(shmem_##NAME##_sum_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE)) \
  SAME_FROM_ALL(shmem_##NAME##_prod_reduce, PGAS_GATHER_ALL, TYPE, sizeof(TYPE))

FOR_TYPES_AND_COMPLEX(REDUCTIONS)

/* ---- Making teams ---- */

#ifdef HAVE_shmem_team_split_strided
WRAPPER(int, shmem_team_split_strided,
        (shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t *config,
         long mask, shmem_team_t *team))
GROUP_CALL(shmem_team_split_strided, PGAS_GROUP_COLLECTIVE,
           (parent, start, stride, size, config, mask, team), group_of(parent), no_traffic(),
           int result =, return result;)
#endif

#ifdef HAVE_shmem_team_split_2d
WRAPPER(int, shmem_team_split_2d,
        (shmem_team_t parent, int range, const shmem_team_config_t *x_config, long x_mask,
         shmem_team_t *x_team, const shmem_team_config_t *y_config, long y_mask,
         shmem_team_t *y_team))
GROUP_CALL(shmem_team_split_2d, PGAS_GROUP_COLLECTIVE,
           (parent, range, x_config, x_mask, x_team, y_config, y_mask, y_team), group_of(parent),
           no_traffic(), int result =, return result;)
#endif

#ifdef HAVE_shmem_team_destroy
WRAPPER(void, shmem_team_destroy, (shmem_team_t team))
GROUP_CALL(shmem_team_destroy, PGAS_GROUP_COLLECTIVE, (team), group_of(team), no_traffic(), ,
           forget_team();)
#endif

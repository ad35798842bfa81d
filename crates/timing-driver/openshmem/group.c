/* Active sets with their arrays for synchronisation, and teams. */
#include "group.h"

#include "arguments.h"

/* Arrays of one operation that are in use at the same time at most. */
#define ARRAYS 64

static int index_of(const struct group *group, int pe) {
  int distance = pe - group->start, index = distance / group->stride;
  return distance >= 0 && index < group->size && pe_in_group(group, index) == pe ? index : -1;
}

/* As many members as there are, unless an argument says fewer. */
static int read_members(struct group *group, const pgas_case *with) {
  long most = (with->threads - 1 - group->start) / group->stride + 1;
  group->size = (int)number_argument(with, "members", most, 1, most);
  if (group->size < 0) return -1;
  group->index = index_of(group, with->thread);
  return 0;
}

static int make_arrays(struct group *group, const pgas_case *with, size_t words) {
  size_t all = words * ARRAYS;
  group->words = words;
  group->arrays = shmem_malloc(all * sizeof *group->arrays);
  if (!group->arrays) {
    pgas_complain(with, "the symmetric heap has no %zu words", all);
    return -1;
  }
  for (size_t i = 0; i < all; i++) group->arrays[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  return 0;
}

int group_of_set(struct group *group, const pgas_case *with, size_t words) {
  long start = number_argument(with, "start", 0, 0, with->threads - 1);
  long log_stride = number_argument(with, "log_stride", 0, 0, 30);
  *group = (struct group){.start = (int)start, .log_stride = (int)log_stride};
  if (start < 0 || log_stride < 0) return -1;
  group->stride = 1 << log_stride;
  return read_members(group, with) ? -1 : make_arrays(group, with, words);
}

#if HAS_OPENSHMEM(1, 5)
int group_of_team(struct group *group, const pgas_case *with) {
  long start = number_argument(with, "start", 0, 0, with->threads - 1);
  long step = number_argument(with, "step", 1, 1, with->threads);
  *group = (struct group){.start = (int)start, .stride = (int)step, .team = SHMEM_TEAM_INVALID};
  if (start < 0 || step < 0 || read_members(group, with)) return -1;
  int failed = shmem_team_split_strided(SHMEM_TEAM_WORLD, group->start, group->stride, group->size,
                                        NULL, 0, &group->team);
  if (!failed || group->index < 0) return 0;
  pgas_complain(with, "there is no team of %d PEs from %d in steps of %d", group->size,
                group->start, group->stride);
  return -1;
}
#endif

void group_release(struct group *group) {
  if (group->arrays) shmem_free(group->arrays);
#if HAS_OPENSHMEM(1, 5)
  else if (group->stride && group->team != SHMEM_TEAM_INVALID) shmem_team_destroy(group->team);
#endif
}

long *group_array(const struct group *group, long launch) {
  return group->arrays + (size_t)(launch % ARRAYS) * group->words;
}

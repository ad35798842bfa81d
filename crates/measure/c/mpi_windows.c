/* MPI: windows, one-sided operations, and the synchronisation that belongs to them.
 *
 * A window is known by its members and by how many windows of the same members were made before it:
 * all members make them in the same order. That and more is an attribute of it. */
#include <stdlib.h>

#include "group_identity.h"
#include "mpi_groups.h"
#include "mpi_wrapper.h"

/* Ranks in a window, of an epoch that is open. */
struct partners {
  int count;
  int *ranks;
};

/* What two processes announce to each other for an access epoch: the target that its window may be
 * accessed (MPI_Win_post), the origin that its accesses are over (MPI_Win_complete). Each is an
 * object of its own: the k-th of these two processes in this direction. */
enum { POSTED, STARTED, COMPLETED, WAITED, COUNTERS };

struct window {
  uint64_t id;
  MPI_Group members;
  struct pgas_mpi_group group;
  struct partners origins, targets;
  uint32_t *counters[COUNTERS]; /* by rank; null: none yet */
  char *is_locked;              /* exclusively by this process, by rank; null: none was */
};

static int keyval = MPI_KEYVAL_INVALID;

/* ---- Windows ---- */

/* How many windows these members have made. */
static uint64_t next_number(uint64_t group) {
  static struct made {
    struct made *next;
    uint64_t group, windows;
  } *all;
  struct made *made = all;
  while (made && made->group != group) made = made->next;
  if (!made) {
    made = calloc(1, sizeof *made);
    if (!made) return 0;
    *made = (struct made){all, group, 0};
    all = made;
  }
  return ++made->windows;
}

static int free_window(MPI_Win handle, int key, void *attribute, void *state) {
  struct window *window = attribute;
  (void)handle;
  (void)key;
  (void)state;
  PMPI_Group_free(&window->members);
  free(window->group.threads);
  free(window->origins.ranks);
  free(window->targets.ranks);
  for (int i = 0; i < COUNTERS; i++) free(window->counters[i]);
  free(window->is_locked);
  free(window);
  return MPI_SUCCESS;
}

static struct window *new_window(MPI_Win handle) {
  struct window *window = calloc(1, sizeof *window);
  if (!window) return NULL;
  PMPI_Win_get_group(handle, &window->members);
  PMPI_Group_rank(window->members, &window->group.rank);
  if (pgas_mpi_describe(&window->group, window->members, 0) &&
      PMPI_Win_set_attr(handle, keyval, window) == MPI_SUCCESS) {
    window->id = identity_with(window->group.id, next_number(window->group.id));
    return window;
  }
  PMPI_Group_free(&window->members);
  free(window);
  return NULL;
}

static struct window *window_of(MPI_Win handle) {
  if (!pgas_mpi_is_ready() || handle == MPI_WIN_NULL) return NULL;
  if (keyval == MPI_KEYVAL_INVALID)
    PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, free_window, &keyval, NULL);
  void *known = NULL;
  int is_there = 0;
  PMPI_Win_get_attr(handle, keyval, &known, &is_there);
  return is_there ? known : new_window(handle);
}

static int is_rank(const struct window *window, int rank) {
  return window && rank >= 0 && rank < window->group.ranks;
}

void pgas_mpi_note_window(int succeeded, MPI_Win handle) {
  if (succeeded) (void)window_of(handle);
}

/* ---- Operations of all members ---- */

void pgas_mpi_enter_window(struct pgas_mpi_call *call, MPI_Win handle, int region, int flow) {
  struct window *window = window_of(handle);
  struct pgas_mpi_group of_window;
  if (!window) {
    pgas_mpi_enter_plain(call);
    return;
  }
  /* Its members' operations on the window, which may be in another order than those on their
   * communicators: a group of its own. */
  of_window = window->group;
  of_window.id = window->id;
  pgas_mpi_enter_group(call, &of_window, region, flow, -1);
  /* The window and what is known of it may be gone at the exit. */
  static struct pgas_mpi_group bare;
  if (call->group) {
    bare = (struct pgas_mpi_group){.id = of_window.id, .ranks = of_window.ranks};
    call->group = &bare;
  }
}

/* Without accesses before it, a fence need not wait for others; all members say so, or none. */
void pgas_mpi_enter_fence(struct pgas_mpi_call *call, int assertion, MPI_Win handle) {
  if (assertion & MPI_MODE_NOPRECEDE)
    pgas_mpi_enter_window(call, handle, PGAS_GROUP_COLLECTIVE, PGAS_FLOW_UNKNOWN);
  else pgas_mpi_enter_window(call, handle, PGAS_BARRIER, PGAS_FLOW_ALL);
}

/* ---- Accesses ---- */

void pgas_mpi_enter_transfer(struct pgas_mpi_call *call, int region, uint64_t bytes, int target,
                             MPI_Win handle) {
  struct window *window = window_of(handle);
  int thread = window ? pgas_mpi_thread_of(&window->group, target) : -1;
  if (thread < 0) {
    pgas_mpi_enter_plain(call);
    return;
  }
  call->call.region = region;
  pgas_enter_call_transfer(call->recorder, &call->call, thread, 0, bytes);
}

/* ---- Locks ---- */

static void enter_lock(struct pgas_mpi_call *call, const struct window *window, int region,
                       int target) {
  call->call.region = region;
  pgas_enter_call_lock(call->recorder, &call->call, identity_with(window->id, (uint64_t)target));
}

/* Several processes may hold a shared lock: it is not taken from one by the other. */
void pgas_mpi_enter_lock(struct pgas_mpi_call *call, int type, int target, MPI_Win handle) {
  struct window *window = window_of(handle);
  if (type == MPI_LOCK_EXCLUSIVE && is_rank(window, target)) {
    if (!window->is_locked) window->is_locked = calloc((size_t)window->group.ranks, 1);
    if (window->is_locked) {
      window->is_locked[target] = 1;
      enter_lock(call, window, PGAS_LOCK, target);
      return;
    }
  }
  pgas_mpi_enter_plain(call);
}

void pgas_mpi_enter_unlock(struct pgas_mpi_call *call, int target, MPI_Win handle) {
  struct window *window = window_of(handle);
  if (is_rank(window, target) && window->is_locked && window->is_locked[target]) {
    window->is_locked[target] = 0;
    enter_lock(call, window, PGAS_UNLOCK, target);
  } else {
    pgas_mpi_enter_plain(call);
  }
}

/* ---- Post, start, complete, wait ---- */

/* Ranks of the window that are members of the group. */
static void note_partners(const struct window *window, struct partners *partners, MPI_Group group) {
  int count = 0;
  PMPI_Group_size(group, &count);
  size_t bytes = (size_t)(count + 1) * sizeof(int);
  int *own = malloc(bytes), *ranks = malloc(bytes);
  free(partners->ranks);
  *partners = (struct partners){0, ranks};
  if (own && ranks) {
    for (int i = 0; i < count; i++) own[i] = i;
    PMPI_Group_translate_ranks(group, count, own, window->members, ranks);
    partners->count = count;
  }
  free(own);
}

/* The number of what passes between this process and a partner for the next time. */
static uint32_t *counter_of(struct window *window, int which, int rank) {
  if (!is_rank(window, rank)) return NULL;
  uint32_t **counters = &window->counters[which];
  if (!*counters) *counters = calloc((size_t)window->group.ranks, sizeof **counters);
  return *counters ? &(*counters)[rank] : NULL;
}

/* An announcement by one member to another. Completions differ from posts in the lowest bit. */
static uint64_t object(const struct window *window, int is_completion, int from, int to,
                       uint32_t number) {
  uint64_t pair = (uint64_t)from << 32 | (uint64_t)to;
  return identity_with(identity_with(window->id, pair), (uint64_t)number << 1 | !!is_completion);
}

static void report(const struct pgas_mpi_call *call, int region, const char *name,
                   uint64_t object_number) {
  const pgas_call part = {region, name, call->call.caller};
  pgas_enter_call_object(call->recorder, &part, object_number, 1);
  pgas_exit_call(call->recorder, &part);
}

/* What the call announces to its partners, or has waited for: parts of it without any length, since
 * it takes place somewhere in the call. `is_again`: what was reported by the call before, too. */
static void announce(struct pgas_mpi_call *call, struct window *window,
                     const struct partners *partners, int counter, const char *name) {
  for (int i = 0; i < partners->count; i++) {
    int partner = partners->ranks[i];
    uint32_t *number = counter_of(window, counter, partner);
    if (!number) continue;
    int is_completion = counter == COMPLETED;
    report(call, PGAS_POST, name,
           object(window, is_completion, window->group.rank, partner, ++*number));
  }
}

static void await(struct pgas_mpi_call *call, struct window *window,
                  const struct partners *partners, int counter, int is_again, const char *name) {
  for (int i = 0; i < partners->count; i++) {
    int partner = partners->ranks[i];
    uint32_t *number = counter_of(window, counter, partner);
    if (!number) continue;
    if (!is_again) ++*number;
    report(call, PGAS_EVENT_WAIT, name,
           object(window, counter == WAITED, partner, window->group.rank, *number));
  }
}

static const char window_is_open[] = "target has posted";

void pgas_mpi_enter_post(struct pgas_mpi_call *call, MPI_Group group, MPI_Win handle) {
  struct window *window = window_of(handle);
  pgas_mpi_enter_region(call, PGAS_PARTNER_SYNC);
  if (!window) return;
  note_partners(window, &window->origins, group);
  announce(call, window, &window->origins, POSTED, "posts to origin");
}

void pgas_mpi_enter_start(struct pgas_mpi_call *call, MPI_Group group, MPI_Win handle) {
  struct window *window = window_of(handle);
  pgas_mpi_enter_region(call, PGAS_PARTNER_SYNC);
  if (window) note_partners(window, &window->targets, group);
}

void pgas_mpi_exit_start(struct pgas_mpi_call *call, MPI_Win handle) {
  struct window *window = window_of(handle);
  if (window) await(call, window, &window->targets, STARTED, 0, window_is_open);
  pgas_mpi_exit(call);
}

void pgas_mpi_enter_complete(struct pgas_mpi_call *call, MPI_Win handle) {
  struct window *window = window_of(handle);
  pgas_mpi_enter_region(call, PGAS_PARTNER_SYNC);
  if (window) announce(call, window, &window->targets, COMPLETED, "completes at target");
}

/* Some libraries do not wait for the targets in MPI_Win_start, but here. */
void pgas_mpi_exit_complete(struct pgas_mpi_call *call, MPI_Win handle) {
  struct window *window = window_of(handle);
  if (window) {
    await(call, window, &window->targets, STARTED, 1, window_is_open);
    window->targets.count = 0;
  }
  pgas_mpi_exit(call);
}

void pgas_mpi_exit_wait(struct pgas_mpi_call *call, int is_over, MPI_Win handle) {
  struct window *window = window_of(handle);
  if (window && is_over) {
    await(call, window, &window->origins, WAITED, 0, "origin has completed");
    window->origins.count = 0;
  }
  pgas_mpi_exit(call);
}

/* Deadlock detection: ends a program whose threads all wait for each other, for a lock that is
 * never released or an allocation that thread 0 does not come to. A thread that falls asleep
 * records what it waits for. Thread 0, when it sleeps long, checks whether all the others sleep,
 * whether none of them could go on, and whether that stays so. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifdef UPCR_MPI
#include "mpi/network.h"
#else
#include "runtime.h"
#endif

/* Between two looks. */
#define SECONDS 1
/* Threads that the message names. */
#define NAMED 4
#define LONGEST 600

static int looks;
static uint32_t changes_before[UPCR_MAX_THREADS];

extern char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

static int is_readable(const uintptr_t *address) {
  unsigned char resident;
  return mincore((void *)((uintptr_t)address & ~4095ul), 1, &resident) == 0;
}

/* Notes the calls that led here. Frames of the runtime have a pointer to the next one; behind them
 * it may be anything. */
static void note_callers(struct upcr_asleep *mine) {
  const uintptr_t *frame = __builtin_frame_address(0), *page = frame;
  mine->count = 0;
  while (mine->count < UPCR_ASLEEP_PLACES) {
    uintptr_t caller = frame[1];
    if (caller < (uintptr_t)__executable_start || caller >= (uintptr_t)etext) return;
    mine->places[mine->count++] = caller - 1 - (uintptr_t)__executable_start;
    const uintptr_t *next = (const uintptr_t *)frame[0];
    if (next <= frame || next - frame > 8192 || (uintptr_t)next % (2 * sizeof *next) != 0) return;
    /* Two words of one page, since frames are aligned to two. */
    if (((uintptr_t)next ^ (uintptr_t)page) > 4095 && !is_readable(next)) return;
    page = frame = next;
  }
}

void upcr_sleep_begin(enum upcr_reason reason, const void *object, uint32_t value) {
  struct upcr_asleep *mine = &upcr_control->threads[upcr_mythread].asleep;
  mine->reason = reason;
  mine->object = object;
  mine->value = value;
  /* A barrier's place is known. */
  if (reason != UPCR_FOR_BARRIER) note_callers(mine);
  atomic_fetch_add_explicit(&mine->changes, 1, memory_order_release);
  looks = 0;
#ifdef UPCR_MPI
  atomic_fetch_add(&upcr_sleepers, 1);
  /* Something may have come since the last look, and its sender took us to be awake. */
  upcr_ring_self();
#endif
}

void upcr_sleep_end(void) {
#ifdef UPCR_MPI
  atomic_fetch_sub(&upcr_sleepers, 1);
#endif
  atomic_fetch_add_explicit(&upcr_control->threads[upcr_mythread].asleep.changes, 1,
                            memory_order_release);
}

static int can_go_on(const struct upcr_asleep *a) {
  switch (a->reason) {
    case UPCR_FOR_BARRIER: return upcr_barrier_is_complete(a->value);
    case UPCR_FOR_LOCK: return upcr_lock_holder(a->object) < 0;
    case UPCR_FOR_SEMAPHORE: return upcr_semaphore_has(a->object, a->value);
    default: return upcr_reached(atomic_load(&((struct upcr_flag *)a->object)->value), a->value);
  }
}

/* Whether all threads sleep, none can go on, and nothing has changed since the look before. */
static int nobody_moves(void) {
  int same = looks++ > 0;
  for (int t = 0; t < upcr_threads; t++) {
    const struct upcr_asleep *a = &upcr_control->threads[t].asleep;
    uint32_t changes = atomic_load_explicit(&a->changes, memory_order_acquire);
    if (changes % 2 == 0 || can_go_on(a)) {
      looks = 0;
      return 0;
    }
    same = same && changes == changes_before[t];
    changes_before[t] = changes;
  }
  return same;
}

int upcr_tasks_of(int process) {
  char path[64];
  struct stat tasks;
  snprintf(path, sizeof path, "/proc/%d/task", process);
  /* Besides its own two, the directory has a link for each task. */
  return stat(path, &tasks) == 0 ? (int)tasks.st_nlink - 2 : -1;
}

/* A pthread of the program's own could release a lock, or call upc_notify for its thread. Tools
 * have one helper. */
static int has_pthreads(void) {
  for (int t = 0; t < upcr_threads; t++) {
    const struct upcr_thread *thread = &upcr_control->threads[t];
#ifdef UPCR_MPI
    /* MPI has some of its own. */
    int usual = thread->tasks_at_start;
#else
    int usual = &upcr_instrumentation != NULL ? 2 : 1;
#endif
    int tasks = upcr_tasks_of(thread->process);
    if (tasks < 0 || tasks > usual) return 1;
  }
  return 0;
}

static void describe(char *text, size_t size, int thread) {
  const struct upcr_asleep *a = &upcr_control->threads[thread].asleep;
  switch (a->reason) {
    case UPCR_FOR_BARRIER: upcr_describe_arrival(text, size, thread, a->value); break;
    case UPCR_FOR_LOCK:
      snprintf(text, size, "thread %d waits for a lock that thread %d holds", thread,
               upcr_lock_holder(a->object));
      break;
    case UPCR_FOR_PUBLICATION:
      snprintf(text, size,
               "thread %d waits for thread 0 in upc_all_alloc, upc_all_lock_alloc or another "
               "allocation by all",
               thread);
      break;
    case UPCR_FOR_SEMAPHORE:
      snprintf(text, size, "thread %d waits for a bupc_sem_post", thread);
      break;
    default: snprintf(text, size, "thread %d waits for another in a collective operation", thread);
  }
  size_t length = strlen(text);
  if (a->reason != UPCR_FOR_BARRIER)
    upcr_describe_place(text + length, size - length, a->places, a->count, ", in", ", in");
}

static void give_up(void) __attribute__((noreturn));
static void give_up(void) {
  char text[NAMED * (LONGEST + 2)];
  int length = 0, status = 1;
  for (int t = upcr_threads - 1; t >= 0; t--) {
    const struct upcr_asleep *a = &upcr_control->threads[t].asleep;
    int ended = a->reason == UPCR_FOR_BARRIER ? upcr_status_of_arrival(t, a->value) : 0;
    if (ended != 0) status = ended;
  }
  for (int t = 0; t < upcr_threads && t < NAMED; t++) {
    char one[LONGEST];
    describe(one, sizeof one, t);
    length +=
        snprintf(text + length, sizeof text - (size_t)length, "%s%s", t == 0 ? "" : ", ", one);
  }
  if (upcr_claim_end(status))
    upcr_say("all threads wait for each other: %s%s", text, upcr_threads > NAMED ? ", ..." : "");
  upcr_leave();
}

#ifdef UPCR_MPI
/* A node does not know the state of threads on other nodes. */
static int sees_all(void) { return upcr_world.nodes == 1; }
#else
static int sees_all(void) { return 1; }
#endif

void upcr_sleep(_Atomic uint32_t *word, uint32_t while_equal) {
  upcr_futex_wait(word, while_equal, upcr_mythread == 0 ? SECONDS : 0);
  if (upcr_mythread == 0 && atomic_load(word) == while_equal && sees_all() && nobody_moves() &&
      !has_pthreads())
    give_up();
}

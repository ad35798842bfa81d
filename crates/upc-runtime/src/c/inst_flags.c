/* Waits for flags: loops of the program that test a shared object until another thread has written
 * it. Such a wait is an event, from the first test that fails. A thread that waits says so in
 * memory that all threads of its node share, where those that write look: a write that may end a
 * wait is an event, with its address, also where writes are counted.
 *
 * The waiting thread publishes its object before it tests again, and a writer looks before it
 * writes. So a write that the next test, or a later one, sees has seen the waiting thread, but for
 * one that was under way when the wait began. */
#include "gasp.h"
#include "gasp_upc.h"
#include "inst.h"
#include "inst_counts.h"
#include "runtime.h"

#include "pgas_upcr_flags.h"

/* Flags that the program's code reads; until there is a control block, and in programs whose tool
 * takes no events, nobody waits. */
static const volatile unsigned nobody[UPCR_FLAG_FIRST_BUCKET + UPCR_FLAG_BUCKETS];
const volatile unsigned *upcr_flag_waiters_set __asm__("upcr_flag_waiters") = nobody;

void upcr_i_begin_flags(void) { upcr_flag_waiters_set = upcr_control->flags.counts; }

static struct upcr_flag_slot *own_slot(void) { return &upcr_control->threads[upcr_mythread].flag; }

/* Adds `change` to the numbers of waiting threads. Of a large object, all words are in buckets
 * already after the first ones. */
static void count(upcr_addr_t addr, unsigned long bytes, unsigned change) {
  volatile unsigned *counts = upcr_control->flags.counts;
  upcr_addr_t first = addr >> 3, last = (addr + bytes - 1) >> 3;
  if (last - first >= UPCR_FLAG_BUCKETS) last = first + UPCR_FLAG_BUCKETS - 1;
  for (upcr_addr_t word = first; word <= last; word++)
    __atomic_fetch_add(&counts[UPCR_FLAG_FIRST_BUCKET + word % UPCR_FLAG_BUCKETS], change,
                       __ATOMIC_RELAXED);
  __atomic_fetch_add(&counts[0], change, __ATOMIC_SEQ_CST);
}

static void publish(upcr_addr_t addr, unsigned long bytes) {
  struct upcr_flag_slot *slot = own_slot();
  atomic_store_explicit(&slot->bytes, bytes, memory_order_relaxed);
  atomic_store_explicit(&slot->addr, addr, memory_order_release);
  count(addr, bytes, 1);
  atomic_thread_fence(memory_order_seq_cst);
}

static void withdraw(void) {
  struct upcr_flag_slot *slot = own_slot();
  upcr_addr_t addr = atomic_load_explicit(&slot->addr, memory_order_relaxed);
  atomic_store_explicit(&slot->addr, 0, memory_order_relaxed);
  count(addr, atomic_load_explicit(&slot->bytes, memory_order_relaxed), -1u);
}

/* A handler of signals may wait within a wait. */
static int is_published(void) {
  return atomic_load_explicit(&own_slot()->addr, memory_order_relaxed) != 0;
}

void upcr_i_flag_wait_start(upcr_flag_wait *w, const char *file, int line) {
  w->upcr_is_open = -1;
  int owner = upcr_thread_of(w->upcr_addr);
  if (owner < 0 || owner >= upcr_threads || w->upcr_bytes == 0) return;
  gasp_context_t context = upcr_i_enter_tool();
  if (context == NULL) return;
  if (upcr_i_wants_events(context) && !is_published()) {
    upcr_pts flag = {w->upcr_addr, 0};
    gasp_event_notify(context, GASP_UPC_FLAG_WAIT, GASP_START, file, line, 0, (void *)&flag,
                      (size_t)w->upcr_bytes);
    publish(w->upcr_addr, w->upcr_bytes);
    w->upcr_is_open = 1;
    w->upcr_file = file;
    w->upcr_line = line;
  }
  upcr_i_leave_tool();
}

void upcr_i_flag_wait_finish(upcr_flag_wait *w) {
  gasp_context_t context = upcr_i_enter_tool();
  if (context != NULL) {
    upcr_pts flag = {w->upcr_addr, 0};
    gasp_event_notify(context, GASP_UPC_FLAG_WAIT, GASP_END, w->upcr_file, w->upcr_line, 0,
                      (void *)&flag, (size_t)w->upcr_bytes);
    upcr_i_leave_tool();
  }
  /* The wait has ended before: a write that comes now is not the one that has ended it. */
  withdraw();
}

void upcr_i_abandon_flag_wait(void) {
  if (is_published()) withdraw();
}

/* ---- Writes ---- */

int upcr_i_is_awaited(upcr_addr_t a, unsigned long size) {
  if (*upcr_flag_waiters == 0) return 0;
  for (int t = upcr_near_first(); t < upcr_near_end(); t++) {
    struct upcr_flag_slot *slot = &upcr_control->threads[t].flag;
    upcr_addr_t addr = atomic_load_explicit(&slot->addr, memory_order_acquire);
    if (addr != 0 && addr < a + size &&
        a < addr + atomic_load_explicit(&slot->bytes, memory_order_relaxed))
      return 1;
  }
  return 0;
}

/* For the tool, about the target of a write. */
int pgas_upc_is_awaited(const void *pts, unsigned long bytes);
int pgas_upc_is_awaited(const void *pts, unsigned long bytes) {
  return pts != NULL && upcr_i_is_awaited(((const upcr_pts *)pts)->addr, bytes);
}

void upcr_i_flag_write(const upcr_access_site *site, upcr_addr_t a) {
  if (!upcr_counts_accesses) return;
#ifdef UPCR_MPI
  /* One to another node that waits is an event anyway (inst_far.c). */
  if (!upcr_is_near(a)) return;
#endif
  upcr_access_table *table = upcr_i_table_with(site);
  if (table == NULL) return;
  long number = site - table->upcr_sites;
  unsigned bytes = table->upcr_bytes[number];
  if (!upcr_i_is_awaited(a, bytes)) return;
  gasp_context_t context = upcr_i_enter_tool();
  if (context == NULL) return;
  upcr_pts to = {a, 0};
  static char from[16];
  gasp_event_notify(context, GASP_UPC_PUT, GASP_ATOMIC, site->upcr_file, site->upcr_line, 0, 1,
                    (void *)&to, (void *)from, (size_t)bytes);
  upcr_i_leave_tool();
  upcr_i_discount(table, number, upcr_thread_of(a));
}

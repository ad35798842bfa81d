/* Counts of what a program does not report: single accesses to shared data, by their place in the
 * source and the thread whose data it is, and calls of functions that rest. The compiler's code
 * adds one to a number for each. The numbers go to the tool before an event that changes the call
 * path, so that each counts for the path that it happened in. */
#include <string.h>
#include <sys/mman.h>

#include "inst_counts.h"
#include "runtime.h"

__thread int upcr_counts_accesses;
/* Numbers of a site: one for each thread. Constant for the program. */
long upcr_count_row_set __asm__("upcr_count_row");
/* Tables and functions with counts that the tool does not know yet. */
upcr_access_table *upcr_i_dirty_tables;
upcr_function_site *upcr_i_dirty_functions;

/* A tool that takes counts has these: `accesses` of `bytes` each to data of a thread; whether it
 * records. */
extern void pgas_counted_accesses(gasp_context_t, int is_put, const char *file, int line,
                                  int thread, unsigned long accesses, unsigned long bytes)
    __attribute__((weak));
extern int pgas_takes_counts(gasp_context_t) __attribute__((weak));
/* Calls of a function that were no events; whether it is called so often, and for so short a time,
 * that its calls should be none from now on. */
extern void pgas_counted_calls(gasp_context_t, const char *name, const char *file, int line,
                               unsigned long calls) __attribute__((weak));
extern int pgas_may_rest(gasp_context_t, const char *name, const char *file, int line)
    __attribute__((weak));

extern upcr_access_table *const __start_upcr_tables[] __attribute__((weak));
extern upcr_access_table *const __stop_upcr_tables[] __attribute__((weak));
extern const upcr_access_size __start_upcr_sizes[] __attribute__((weak));
extern const upcr_access_size __stop_upcr_sizes[] __attribute__((weak));

upcr_access_table *upcr_i_table_with(const upcr_access_site *site) {
  static upcr_access_table *last;
  if (last != NULL && site - last->upcr_sites >= 0 &&
      site - last->upcr_sites < last->upcr_sites_count)
    return last;
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++)
    if (site >= (*t)->upcr_sites && site < (*t)->upcr_sites + (*t)->upcr_sites_count)
      return last = *t;
  return NULL;
}

/* Some counted access was reported as an event. */
static int has_discounts;

void upcr_i_discount(upcr_access_table *table, long site, int thread) {
  has_discounts = 1;
  table->upcr_waited[site * upcr_count_row + thread]++;
}

/* Number of `accesses` that were not reported as events. */
static unsigned long not_reported(const upcr_access_table *table, int number, int thread,
                                  unsigned long accesses) {
  if (!has_discounts) return accesses;
  unsigned *waited = &table->upcr_waited[number * upcr_count_row + thread];
  unsigned long reported = *waited < accesses ? *waited : accesses;
  *waited -= (unsigned)reported;
  return accesses - reported;
}

/* The numbers of all tables, and behind them the bytes of an access of each site. Pages are touched
 * as they are used. */
static int provide_counts(void) {
  unsigned long row = (unsigned long)upcr_threads, sites = 0, counters = 0;
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++) {
    sites += (unsigned long)(*t)->upcr_sites_count;
    counters += (unsigned long)(*t)->upcr_counters;
  }
  if (sites == 0) return 1;
  unsigned long counts_bytes = counters * 2 * row * sizeof(unsigned long);
  unsigned long waited = sites * row;
  void *memory = mmap(NULL, counts_bytes + (sites + counters + waited) * sizeof(unsigned),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  unsigned long *counts = memory;
  unsigned *bytes = (unsigned *)((char *)memory + counts_bytes);
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++) {
    (*t)->upcr_counts = counts - UPCR_FIRST;
    (*t)->upcr_reported = counts + counters * row - UPCR_FIRST;
    (*t)->upcr_bytes = bytes;
    (*t)->upcr_own_bytes = bytes + (*t)->upcr_sites_count;
    counts += (unsigned long)(*t)->upcr_counters * row;
    bytes += (*t)->upcr_sites_count + (*t)->upcr_counters;
    (*t)->upcr_waited = bytes;
    bytes += (unsigned long)(*t)->upcr_sites_count * row;
  }
  upcr_count_row_set = (long)row;
  return 1;
}

/* There is memory for all counts. */
static int can_count;

static const upcr_access_table *table_of(unsigned long id) {
  static const upcr_access_table *last;
  if (last != NULL && last->upcr_id == id) return last;
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++)
    if ((*t)->upcr_id == id) return last = *t;
  return NULL;
}

static void set_sizes(void) {
  for (const upcr_access_size *s = __start_upcr_sizes; s != __stop_upcr_sizes; s++) {
    const upcr_access_table *table = table_of(s->upcr_id);
    if (table != NULL && s->upcr_site < table->upcr_sites_count)
      table->upcr_bytes[s->upcr_site] = s->upcr_bytes;
  }
}

int upcr_i_wants_events(gasp_context_t context) {
  return !pgas_takes_counts || pgas_takes_counts(context);
}

static void set_counting(gasp_context_t context) {
  upcr_counts_accesses = can_count && pgas_takes_counts(context);
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++)
    (*t)->upcr_is_counting = upcr_counts_accesses;
}

void upcr_i_begin_counts(gasp_context_t context) {
  if (!pgas_counted_accesses || !pgas_counted_calls || !pgas_takes_counts) return;
  if (!provide_counts()) return;
  set_sizes();
  upcr_i_prepare_samples(context);
  can_count = 1;
  set_counting(context);
}

void upcr_i_review_function(gasp_context_t context, upcr_function_site *site) {
  if (!upcr_counts_accesses || !pgas_may_rest) return;
  if (pgas_may_rest(context, site->upcr_name, site->upcr_file, site->upcr_line)) {
    site->upcr_calls = 0;
    site->upcr_rests = 1;
  }
}

void upcr_i_open_function(upcr_function_site *site) {
  site->upcr_next = upcr_i_dirty_functions;
  upcr_i_dirty_functions = site;
}

void upcr_i_open_table(upcr_access_table *table) {
  upcr_i_begin_samples(table);
  table->upcr_is_dirty = 1;
  table->upcr_next = upcr_i_dirty_tables;
  upcr_i_dirty_tables = table;
}

static void report_site(gasp_context_t context, const upcr_access_table *table, int number) {
  const upcr_access_site *site = &table->upcr_sites[number];
  long first = site->upcr_counter * upcr_count_row + UPCR_FIRST;
  const unsigned long *counts = table->upcr_counts + first, *before = table->upcr_reported + first;
  if (site->upcr_called != NULL) {
    unsigned long calls = counts[upcr_mythread] - before[upcr_mythread];
    if (table->upcr_calls != NULL) calls += table->upcr_calls[site->upcr_counter];
    if (calls != 0 && pgas_counted_calls != NULL)
      pgas_counted_calls(context, site->upcr_called, site->upcr_file, site->upcr_line, calls);
    return;
  }
  unsigned bytes = table->upcr_bytes[number];
  if (bytes == 0) bytes = table->upcr_own_bytes[site->upcr_counter];
  for (int thread = 0; thread < upcr_threads; thread++) {
    if (counts[thread] == before[thread]) continue;
    unsigned long rest = not_reported(table, number, thread, counts[thread] - before[thread]);
    if (rest != 0)
      pgas_counted_accesses(context, site->upcr_is_put, site->upcr_file, site->upcr_line, thread,
                            rest, bytes);
  }
}

static void take_counts(gasp_context_t context, upcr_access_table *table, int is_reported) {
  for (int site = 0; is_reported && site < table->upcr_sites_count; site++)
    report_site(context, table, site);
  memcpy(table->upcr_reported + UPCR_FIRST, table->upcr_counts + UPCR_FIRST,
         (size_t)(table->upcr_counters * upcr_count_row) * sizeof(unsigned long));
  if (table->upcr_calls != NULL)
    memset(table->upcr_calls, 0, (size_t)table->upcr_counters * sizeof(unsigned long));
  table->upcr_is_dirty = 0;
}

static void take_all(gasp_context_t context, int is_reported) {
  while (upcr_i_dirty_tables != NULL) {
    upcr_access_table *table = upcr_i_dirty_tables;
    upcr_i_dirty_tables = table->upcr_next;
    take_counts(context, table, is_reported);
  }
  while (upcr_i_dirty_functions != NULL) {
    upcr_function_site *site = upcr_i_dirty_functions;
    upcr_i_dirty_functions = site->upcr_next;
    if (is_reported)
      pgas_counted_calls(context, site->upcr_name, site->upcr_file, site->upcr_line,
                         site->upcr_calls);
    site->upcr_calls = 0;
  }
}

void upcr_i_report_dirty(gasp_context_t context) { take_all(context, 1); }

void upcr_i_switch_counts(gasp_context_t context) {
  /* Counts of a loop that was counting since recording was switched off. */
  take_all(context, upcr_counts_accesses);
  set_counting(context);
}

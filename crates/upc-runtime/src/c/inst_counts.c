/* Counts of single accesses to shared data, of programs that count them instead of reporting each:
 * the compiler's code adds one to a number for each access, by its place in the source and the
 * thread whose data it is. The numbers go to the tool before an event that changes the call path,
 * so that each access counts for the path that it was made in. */
#include <sys/mman.h>

#include "inst_counts.h"
#include "runtime.h"

__thread int upcr_counts_accesses;
/* Numbers of a site: one for each thread. Constant for the program. */
long upcr_count_row_set __asm__("upcr_count_row");
/* Tables with counts that the tool does not know yet. */
upcr_access_table *upcr_i_dirty_tables;

/* A tool that takes counts has these: `accesses` of `bytes` each to data of a thread; that the code
 * between two addresses makes such accesses; whether it records. */
extern void pgas_counted_accesses(gasp_context_t, int is_put, const char *file, int line,
                                  int thread, unsigned long accesses, unsigned long bytes)
    __attribute__((weak));
extern int pgas_takes_counts(gasp_context_t) __attribute__((weak));
extern void pgas_access_code(gasp_context_t, unsigned long begin, unsigned long end, int is_put,
                             const char *file, int line, int is_last) __attribute__((weak));

extern upcr_access_table *const __start_upcr_tables[] __attribute__((weak));
extern upcr_access_table *const __stop_upcr_tables[] __attribute__((weak));
extern const upcr_access_range __start_upcr_ranges[] __attribute__((weak));
extern const upcr_access_range __stop_upcr_ranges[] __attribute__((weak));

/* The numbers of all tables, and behind them the bytes of an access of each site. Pages are touched
 * as they are used. */
static int provide_counts(void) {
  unsigned long row = (unsigned long)upcr_threads, sites = 0;
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++)
    sites += (unsigned long)(*t)->upcr_sites_count;
  if (sites == 0) return 0;
  unsigned long counts_bytes = sites * row * sizeof(unsigned long);
  void *memory = mmap(NULL, counts_bytes + sites * sizeof(unsigned), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  unsigned long *counts = memory;
  unsigned *bytes = (unsigned *)((char *)memory + counts_bytes);
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++) {
    unsigned long own = (unsigned long)(*t)->upcr_sites_count;
    (*t)->upcr_counts = counts - UPCR_FIRST;
    (*t)->upcr_bytes = bytes;
    counts += own * row;
    bytes += own;
  }
  upcr_count_row_set = (long)row;
  return 1;
}

static upcr_access_table *table_of(unsigned long id) {
  static upcr_access_table *last;
  if (last != NULL && last->upcr_id == id) return last;
  for (upcr_access_table *const *t = __start_upcr_tables; t != __stop_upcr_tables; t++)
    if ((*t)->upcr_id == id) return last = *t;
  return NULL;
}

static void declare_code(gasp_context_t context) {
  for (const upcr_access_range *r = __start_upcr_ranges; r != __stop_upcr_ranges; r++) {
    upcr_access_table *table = table_of(r->upcr_id);
    if (table == NULL || r->upcr_site >= table->upcr_sites_count) continue;
    const upcr_access_site *site = &table->upcr_sites[r->upcr_site];
    table->upcr_bytes[r->upcr_site] = r->upcr_bytes;
    if (pgas_access_code)
      pgas_access_code(context, (unsigned long)((const char *)&r->upcr_begin + r->upcr_begin),
                       (unsigned long)((const char *)&r->upcr_end + r->upcr_end),
                       site->upcr_is_put, site->upcr_file, site->upcr_line,
                       r + 1 == __stop_upcr_ranges);
  }
}

void upcr_i_begin_counts(gasp_context_t context) {
  if (!pgas_counted_accesses || !pgas_takes_counts || !provide_counts()) return;
  declare_code(context);
  upcr_counts_accesses = pgas_takes_counts(context);
}

void upcr_i_open_table(upcr_access_table *table) {
  table->upcr_is_dirty = 1;
  table->upcr_next = upcr_i_dirty_tables;
  upcr_i_dirty_tables = table;
}

static void take_counts(gasp_context_t context, upcr_access_table *table, int is_reported) {
  for (int s = 0; s < table->upcr_sites_count; s++) {
    const upcr_access_site *site = &table->upcr_sites[s];
    unsigned long *counts = table->upcr_counts + s * upcr_count_row + UPCR_FIRST;
    for (int thread = 0; thread < upcr_threads; thread++) {
      if (counts[thread] == 0) continue;
      if (is_reported)
        pgas_counted_accesses(context, site->upcr_is_put, site->upcr_file, site->upcr_line,
                              thread, counts[thread], table->upcr_bytes[s]);
      counts[thread] = 0;
    }
  }
  table->upcr_is_dirty = 0;
}

static void take_all(gasp_context_t context, int is_reported) {
  while (upcr_i_dirty_tables != NULL) {
    upcr_access_table *table = upcr_i_dirty_tables;
    upcr_i_dirty_tables = table->upcr_next;
    take_counts(context, table, is_reported);
  }
}

void upcr_i_report_dirty(gasp_context_t context) { take_all(context, 1); }

void upcr_i_switch_counts(gasp_context_t context) {
  /* What a loop that was counting has counted since recording was switched off. */
  take_all(context, upcr_counts_accesses);
  upcr_counts_accesses = pgas_takes_counts != NULL && upcr_count_row > 0 && pgas_takes_counts(context);
}

void upcr_i_end_counts(gasp_context_t context) {
  if (upcr_counts_accesses) take_all(context, 1);
  upcr_counts_accesses = 0;
}

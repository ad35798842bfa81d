/* Accesses that a program counts, and that wait for another node: the tool is told of each, with
 * its time, since counts have none and waiting is no computation. Those that find their data in the
 * cache are only counted. */
#include "cache.h"
#include "inst_counts.h"

__thread const upcr_access_site *upcr_far_site;

/* The access under way. */
static __thread struct {
  int depth; /* of calls below: a strict access has others in it */
  const upcr_access_site *site;
  upcr_addr_t addr;
  unsigned long bytes;
  gasp_context_t told; /* that it waits */
} now;

enum { GET, PUT, FENCE };
/* A tool that takes counts has these, too. */
extern void pgas_waiting_begins(gasp_context_t, int kind, const char *file, int line, int thread,
                                unsigned long bytes) __attribute__((weak));
extern void pgas_waiting_ends(gasp_context_t, int kind) __attribute__((weak));

/* A strict access of near data waits for what was written before. */
static int kind(void) {
  if (upcr_is_near(now.addr)) return FENCE;
  return now.site->upcr_is_put ? PUT : GET;
}

static void waits(void) {
  upcr_far_waits = NULL;
  if (!pgas_waiting_begins || (now.told = upcr_i_enter_tool()) == NULL) return;
  pgas_waiting_begins(now.told, kind(), now.site->upcr_file, now.site->upcr_line,
                      upcr_thread_of(now.addr), now.bytes);
  upcr_i_leave_tool();
}

static void has_waited(void) {
  pgas_waiting_ends(now.told, kind());
  now.told = NULL;
  upcr_access_table *table = kind() == FENCE ? NULL : upcr_i_table_with(now.site);
  if (table == NULL) return;
  long number = now.site - table->upcr_sites;
  table->upcr_waited[number * upcr_count_row + upcr_thread_of(now.addr)]++;
}

void upcr_i_far_begin(upcr_addr_t addr, unsigned long n) {
  if (now.depth++ != 0 || !upcr_counts_accesses || upcr_far_site == NULL) return;
  now.site = upcr_far_site;
  now.addr = addr;
  now.bytes = n;
  upcr_far_waits = waits;
}

void upcr_i_far_end(void) {
  if (--now.depth != 0) return;
  upcr_far_waits = NULL;
  if (now.told != NULL) has_waited();
}

unsigned long upcr_i_far_read(upcr_addr_t from, int n) {
  upcr_i_far_begin(from, (unsigned long)n);
  unsigned long value = upcr_far_read(from, n);
  upcr_i_far_end();
  return value;
}

void upcr_i_far_write(upcr_addr_t to, unsigned long value, int n) {
  upcr_i_far_begin(to, (unsigned long)n);
  upcr_far_write(to, value, n);
  upcr_i_far_end();
}

void upcr_i_far_get(void *to, upcr_addr_t from, unsigned long n) {
  upcr_i_far_begin(from, n);
  upcr_far_get(to, from, n);
  upcr_i_far_end();
}

void upcr_i_far_put(upcr_addr_t to, const void *from, unsigned long n) {
  upcr_i_far_begin(to, n);
  upcr_far_put(to, from, n);
  upcr_i_far_end();
}

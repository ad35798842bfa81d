/* Reports counted accesses that wait for another node as events. Counts carry no time, so their
 * waiting would appear as computation. Accesses that hit the cache are only counted. */
#include "cache.h"
#include "inst_counts.h"

__thread const upcr_access_site *upcr_far_site;

/* The access under way. */
static __thread struct {
  int depth; /* of nested calls of upcr_i_far_begin: a strict access contains a read or write */
  const upcr_access_site *site;
  upcr_addr_t addr;
  unsigned long bytes;
  int is_reported;
} now;

/* Kinds of waiting, numbered as in the tool (gasp_decoder.c). */
enum { GET, PUT, FENCE };
/* Optional functions of the tool. */
extern void pgas_waiting_begins(gasp_context_t, int kind, const char *file, int line, int thread,
                                unsigned long address, unsigned long bytes) __attribute__((weak));
extern void pgas_waiting_ends(gasp_context_t, int kind) __attribute__((weak));

/* A strict access to near data waits only for earlier writes. */
static int kind(void) {
  if (upcr_is_near(now.addr)) return FENCE;
  return now.site->upcr_is_put ? PUT : GET;
}

static void report_begin(void) {
  gasp_context_t context;
  upcr_far_waits = NULL;
  if (!pgas_waiting_begins || (context = upcr_i_enter_tool()) == NULL) return;
  pgas_waiting_begins(context, kind(), now.site->upcr_file, now.site->upcr_line,
                      upcr_thread_of(now.addr), now.addr & UPCR_OFFSET_MASK, now.bytes);
  upcr_i_leave_tool();
  now.is_reported = 1;
}

/* The site's count includes the access; the event replaces it. */
static void discount(void) {
  upcr_access_table *table = kind() == FENCE ? NULL : upcr_i_table_with(now.site);
  if (table == NULL) return;
  upcr_i_discount(table, now.site - table->upcr_sites, upcr_thread_of(now.addr));
}

static void report_end(void) {
  gasp_context_t context = upcr_i_enter_tool();
  now.is_reported = 0;
  if (context == NULL) return;
  pgas_waiting_ends(context, kind());
  upcr_i_leave_tool();
  discount();
}

void upcr_i_far_begin(upcr_addr_t addr, unsigned long n) {
  if (now.depth++ != 0 || !upcr_counts_accesses || upcr_far_site == NULL) return;
  now.site = upcr_far_site;
  now.addr = addr;
  now.bytes = n;
  upcr_far_waits = report_begin;
}

void upcr_i_far_end(void) {
  if (--now.depth != 0) return;
  upcr_far_waits = NULL;
  if (now.is_reported) report_end();
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

/* Overlapping reads of far memory: many of them take about one round trip of the network. */
#include "network.h"

/* Reads in flight. */
#define MOST 64

static struct {
  struct upcr_pending pending;
  upcr_addr_t from;
} reads[MOST];
static unsigned begun, awaited;

static void await_oldest(void) {
  unsigned i = awaited++ % MOST;
  upcr_far_await(&reads[i].pending, reads[i].from);
}

static void begin(void *to, upcr_addr_t from, unsigned long n) {
  if (begun - awaited == MOST) await_oldest();
  unsigned i = begun++ % MOST;
  reads[i].from = from;
  upcr_waiting++; /* soon, as a rule */
  upcr_far_get_later(&reads[i].pending, to, from, n);
  upcr_waiting--;
}

void upcr_overlapping_get(void *to, upcr_addr_t from, unsigned long n) {
  if (n == 0) return;
  if (upcr_is_near(from)) {
    memmove(to, upcr_local(from), n);
    return;
  }
  upcr_check_far(from, n, "read");
  upcr_far_past_cache(from, n);
  for (; n > UPCR_LONGEST; n -= UPCR_LONGEST, from += UPCR_LONGEST, to = (char *)to + UPCR_LONGEST)
    begin(to, from, UPCR_LONGEST);
  begin(to, from, n);
}

void upcr_overlapping_end(void) {
  while (awaited != begun) await_oldest();
}

void upcr_get_from_all(void *to, unsigned long offset, unsigned long n) {
  for (int k = 0; k < upcr_threads; k++) {
    int t = (upcr_mythread + k) % upcr_threads;
    upcr_overlapping_get((char *)to + (unsigned long)t * n, upcr_segment(t) + offset, n);
  }
  upcr_overlapping_end();
}

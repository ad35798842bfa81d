/* Falling asleep. What others wait for is only known on their node, so threads that all wait for
 * each other are not noticed here. */
#include "runtime.h"

void upcr_sleep_begin(enum upcr_reason reason, const void *object, uint32_t value) {
  (void)reason;
  (void)object;
  (void)value;
}
void upcr_sleep_end(void) {}

void upcr_sleep(_Atomic uint32_t *word, uint32_t while_equal) {
  upcr_futex_wait(word, while_equal, 0);
}

/* For messages that fork (crash_report.c): nothing was changed for this process. */
void upcr_supervise_forked(void) {}

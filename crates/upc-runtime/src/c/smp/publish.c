/* How thread 0 tells the others the result of an allocation that all make together. It publishes
 * and goes on; the others wait for it, but not for each other. Publications form a list, so that
 * thread 0 may be any number of them ahead; each is freed by the last thread that leaves it. */
#include <string.h>

#include "runtime.h"

/* The latest publication that this thread has read, or made. */
static struct upcr_publication *current;

upcr_addr_t upcr_publish(upcr_addr_t value) {
  struct upcr_publication *from = current != NULL ? current : &upcr_control->first_publication;
  if (upcr_mythread == 0) {
    struct upcr_publication *next =
        upcr_local(upcr_heap_local(0, sizeof(struct upcr_publication), "a collective allocation"));
    memset(next, 0, sizeof *next);
    next->value = value;
    from->next = next;
    upcr_flag_set(&from->published, 1);
  } else {
    upcr_flag_await(&from->published, 1, UPCR_FOR_PUBLICATION);
  }
  current = from->next;
  value = current->value;
  if (atomic_fetch_add(&from->leavers, 1) + 1 == (uint32_t)upcr_threads &&
      from != &upcr_control->first_publication)
    upcr_heap_free(upcr_make((upcr_addr_t)from, 0), "a collective allocation");
  return value;
}

/* Address computations that are not inlined into generated code: for another block than the last
 * time, the set-up of a loop over own elements, and loop bodies that are hardly ever run. */
#define UPCR_FAR_DEFINITIONS
#include "runtime.h"

upcr_visit upcr_visit_elem(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e, long upcr_b) {
  upcr_division upcr_k = upcr_divide(upcr_i, upcr_b);
  upcr_division upcr_t = upcr_divide_by_threads(upcr_k.quotient);
  upcr_visit upcr_r;
  upcr_r.first = upcr_i - upcr_k.remainder;
  upcr_r.addr = upcr_base + ((unsigned long)upcr_t.remainder << UPCR_SHIFT) +
                (unsigned long)(upcr_t.quotient * upcr_b - upcr_r.first) * upcr_e;
  return upcr_r;
}

upcr_visit upcr_visit_add(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e, long upcr_b) {
  long upcr_t = upcr_thread_of(upcr_p.addr);
  upcr_division upcr_k = upcr_divide((long)upcr_p.phase + upcr_n, upcr_b);
  upcr_division upcr_d = upcr_divide_by_threads(upcr_t + upcr_k.quotient);
  upcr_visit upcr_r;
  upcr_r.first = upcr_n - upcr_k.remainder;
  upcr_r.addr =
      upcr_p.addr + ((unsigned long)(upcr_d.remainder - upcr_t) << UPCR_SHIFT) +
      (unsigned long)(upcr_d.quotient * upcr_b - (long)upcr_p.phase - upcr_r.first) * upcr_e;
  return upcr_r;
}

upcr_pts upcr_far_add_cyclic(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e) {
  return upcr_add_cyclic(upcr_p, upcr_n, upcr_e);
}

upcr_pts upcr_far_add_blocked(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e, long upcr_b) {
  return upcr_add_blocked(upcr_p, upcr_n, upcr_e, upcr_b);
}

upcr_addr_t upcr_far_elem_cyclic(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e) {
  return upcr_elem_cyclic(upcr_base, upcr_i, upcr_e);
}

upcr_addr_t upcr_far_elem_blocked(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e,
                                  long upcr_b) {
  return upcr_elem_blocked(upcr_base, upcr_i, upcr_e, upcr_b);
}

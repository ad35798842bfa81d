/* The numbers of a program's threads, and what divides by them: constants for the program's code.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>

#include "runtime.h"

/* The program sees these as constants (pgas_upcr.h), so they have names of their own where they are
 * set. */
int upcr_mythread_set __asm__("upcr_mythread");
int upcr_threads_set __asm__("upcr_threads");
int upcr_threads_power_set __asm__("upcr_threads_power");
int upcr_threads_shift_set __asm__("upcr_threads_shift");
unsigned long upcr_threads_reciprocal_set __asm__("upcr_threads_reciprocal");
unsigned long upcr_threads_full_reciprocal_set __asm__("upcr_threads_full_reciprocal");

int upcr_forall_depth;
struct upcr_control *upcr_control;

void upcr_set_threads(int threads) {
  upcr_threads_set = threads;

  /* See upcr_divide_by_threads. The reciprocals are exact for dividends below 2^61 and 2^63
   * (Granlund and Montgomery 1994, theorem 4.2, with N = 62 and N = 63). */
  unsigned long d = (unsigned long)upcr_threads_set;
  int shift = d > 1 ? 64 - __builtin_clzl(d - 1) : 0;
  upcr_threads_power_set = (d & (d - 1)) == 0;
  upcr_threads_shift_set = shift;
  upcr_threads_reciprocal_set =
      (unsigned long)((((unsigned __int128)1 << (62 + shift)) + d - 1) / d);
  if (!upcr_threads_power_set)
    upcr_threads_full_reciprocal_set =
        (unsigned long)(((unsigned __int128)1 << (63 + shift)) / d) + 1;
}

extern const char __executable_start[] __attribute__((weak));

unsigned long upcr_link_address(void) {
  /* A position-independent executable is linked for address 0. */
  const ElfW(Ehdr) *header = (const void *)__executable_start;
  return header != NULL && header->e_type == ET_EXEC ? (unsigned long)__executable_start : 0;
}

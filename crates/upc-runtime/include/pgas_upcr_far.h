/* Part of pgas_upcr.h: accesses to shared data that may be on another node, in programs over MPI.
 * What is near, of a thread on this node, is mapped at its address; what is far is asked for. */
#ifndef UPCR_FAR_H
#define UPCR_FAR_H

/* The addresses of this node's threads. */
extern const upcr_addr_t upcr_near_base;
extern const unsigned long upcr_near_bytes;
UPCR_INLINE int upcr_is_near(upcr_addr_t upcr_a) {
  return __builtin_expect(upcr_a - upcr_near_base < upcr_near_bytes, 1);
}

/* Relaxed reads and writes of far data. A value of `n` bytes lies in the low bytes of the number;
 * anything else goes through memory. An address that is nobody's ends the program. */
extern unsigned long upcr_far_read(upcr_addr_t upcr_a, int upcr_n);                    /* 1, 2, 4, 8 */
extern void upcr_far_write(upcr_addr_t upcr_a, unsigned long upcr_value, int upcr_n);  /* 1, 2, 4, 8 */
extern void upcr_far_get(void *upcr_to, upcr_addr_t upcr_a, unsigned long upcr_n);
extern void upcr_far_put(upcr_addr_t upcr_a, const void *upcr_from, unsigned long upcr_n);

/* Far data was read or written since the last fence. */
extern int upcr_far_open;
/* Waits until all that was written is where it belongs, and forgets what was read. */
extern void upcr_far_fence(void);

#endif

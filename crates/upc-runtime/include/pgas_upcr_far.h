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

/* Relaxed reads and writes of far data. A value of 1, 2, 4 or 8 bytes lies in the low bytes of the
 * number; anything else goes through memory. An address that is nobody's ends the program. */
extern unsigned long upcr_far_read(upcr_addr_t upcr_a, int upcr_n);
extern void upcr_far_write(upcr_addr_t upcr_a, unsigned long upcr_value, int upcr_n);
extern void upcr_far_get(void *upcr_to, upcr_addr_t upcr_a, unsigned long upcr_n);
extern void upcr_far_put(upcr_addr_t upcr_a, const void *upcr_from, unsigned long upcr_n);

#ifdef UPCR_INST
/* The same for programs that count accesses: an access that waits is reported as an event. Begin
 * and end enclose a strict access, whose fences may wait as well. */
extern unsigned long upcr_i_far_read(upcr_addr_t upcr_a, int upcr_n);
extern void upcr_i_far_write(upcr_addr_t upcr_a, unsigned long upcr_value, int upcr_n);
extern void upcr_i_far_get(void *upcr_to, upcr_addr_t upcr_a, unsigned long upcr_n);
extern void upcr_i_far_put(upcr_addr_t upcr_a, const void *upcr_from, unsigned long upcr_n);
extern void upcr_i_far_begin(upcr_addr_t upcr_a, unsigned long upcr_n);
extern void upcr_i_far_end(void);
#define UPCR_FAR(upcr_name) upcr_i_far_##upcr_name
#else
#define UPCR_FAR(upcr_name) upcr_far_##upcr_name
#endif

/* Far data was read or written since the last fence. */
extern int upcr_far_open;
/* Waits until all that was written is where it belongs, and forgets what was read. */
extern void upcr_far_fence(void);

/* Where the `n` bytes at `a` can be read: near data itself, or a copy of far data. */
UPCR_INLINE void *upcr_view(upcr_addr_t upcr_a, void *upcr_copy, unsigned long upcr_n) {
  if (upcr_is_near(upcr_a)) return (void *)upcr_a;
  UPCR_FAR(get)(upcr_copy, upcr_a, upcr_n);
  return upcr_copy;
}

UPCR_INLINE void upcr_put_far(upcr_addr_t upcr_a, const void *upcr_from, unsigned long upcr_n) {
  UPCR_FAR(put)(upcr_a, upcr_from, upcr_n);
}

/* ---- Bit fields of far structures ---- */

/* A bit field has no address: only the C compiler knows its bytes. They are those that are not zero
 * in `mask`, a structure with nothing but the field set. No others are read, and above all written,
 * since a neighbouring member may be written by another thread meanwhile. */
#define UPCR_COLD \
  static __attribute__((__cold__, __noinline__, __unused__, __no_instrument_function__))

UPCR_COLD unsigned long upcr_field_begin(const char *upcr_mask, unsigned long upcr_n) {
  unsigned long upcr_i = 0;
  while (upcr_i < upcr_n && upcr_mask[upcr_i] == 0) upcr_i++;
  return upcr_i;
}
UPCR_COLD unsigned long upcr_field_end(const char *upcr_mask, unsigned long upcr_n) {
  while (upcr_n > 0 && upcr_mask[upcr_n - 1] == 0) upcr_n--;
  return upcr_n;
}
UPCR_COLD void upcr_far_get_field(void *upcr_copy, upcr_addr_t upcr_a, const void *upcr_mask,
                                  unsigned long upcr_n) {
  unsigned long upcr_i = upcr_field_begin((const char *)upcr_mask, upcr_n);
  unsigned long upcr_end = upcr_field_end((const char *)upcr_mask, upcr_n);
  UPCR_FAR(get)((char *)upcr_copy + upcr_i, upcr_a + upcr_i, upcr_end - upcr_i);
}
UPCR_COLD void upcr_far_put_field(upcr_addr_t upcr_a, const void *upcr_copy, const void *upcr_mask,
                                  unsigned long upcr_n) {
  unsigned long upcr_i = upcr_field_begin((const char *)upcr_mask, upcr_n);
  unsigned long upcr_end = upcr_field_end((const char *)upcr_mask, upcr_n);
  UPCR_FAR(put)(upcr_a + upcr_i, (const char *)upcr_copy + upcr_i, upcr_end - upcr_i);
}
#undef UPCR_COLD

#endif

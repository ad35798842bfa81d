/* Part of pgas_upcr.h for instrumented programs: loops of the program that wait for a flag, and the
 * writes that may end such a wait. */
#ifndef UPCR_FLAGS_H
#define UPCR_FLAGS_H

/* A loop that waits: the first object that it has read, and whether it is reported now. */
typedef struct {
  upcr_addr_t upcr_addr; /* 0: nothing was read yet */
  unsigned long upcr_bytes;
  int upcr_is_open;      /* 1 once a test has failed; -1 if it is not reported */
  int upcr_is_untested;  /* `do`: the body comes before the first test */
  const char *upcr_file; /* the loop, while it is reported */
  int upcr_line;
} upcr_flag_wait;

extern void upcr_i_flag_wait_start(upcr_flag_wait *upcr_w, const char *upcr_file, int upcr_line);
extern void upcr_i_flag_wait_finish(upcr_flag_wait *upcr_w);

/* Before a read in the loop that is no part of an address. */
UPCR_INLINE void upcr_flag_read(upcr_flag_wait *upcr_w, upcr_addr_t upcr_a,
                                unsigned long upcr_size) {
  if (upcr_w->upcr_addr != 0) return;
  upcr_w->upcr_addr = upcr_a;
  upcr_w->upcr_bytes = upcr_size;
}
/* Where the body begins: if the loop has read something, that has failed its test. */
UPCR_INLINE void upcr_flag_failed(upcr_flag_wait *upcr_w, const char *upcr_file, int upcr_line) {
  if (upcr_w->upcr_addr != 0 && upcr_w->upcr_is_open == 0)
    upcr_i_flag_wait_start(upcr_w, upcr_file, upcr_line);
}
/* The same of a loop that reads through a private pointer, which may be to shared data. */
UPCR_INLINE void upcr_flag_failed_at(upcr_flag_wait *upcr_w, const volatile void *upcr_p,
                                     unsigned long upcr_size, const char *upcr_file,
                                     int upcr_line) {
  if (upcr_w->upcr_is_untested) {
    upcr_w->upcr_is_untested = 0;
    return;
  }
  upcr_flag_read(upcr_w, (upcr_addr_t)upcr_p, upcr_size);
  upcr_flag_failed(upcr_w, upcr_file, upcr_line);
}
/* However the loop is left. */
UPCR_INLINE void upcr_flag_left(upcr_flag_wait *upcr_w) {
  if (upcr_w->upcr_is_open > 0) upcr_i_flag_wait_finish(upcr_w);
}

/* Threads of this node that wait for a flag. Behind it are the numbers of those that wait for data
 * at an address, by three bits and six bits of it. */
#define UPCR_FLAG_BUCKETS 64
#define UPCR_FLAG_FIRST_BUCKET 16
extern const volatile unsigned *const upcr_flag_waiters;
extern int upcr_i_is_awaited(upcr_addr_t upcr_a, unsigned long upcr_size);
extern void upcr_i_flag_write(const upcr_access_site *upcr_site, upcr_addr_t upcr_a);

/* Before a write that is counted: if a thread waits for what is written, it is an event. The call
 * is one that the compiler knows nothing of, as that of upcr_count. */
UPCR_INLINE void upcr_flag_write(const upcr_access_site *upcr_site, upcr_addr_t upcr_a,
                                 unsigned long upcr_size) {
#if defined(__x86_64__) && defined(__LP64__)
  if (upcr_size <= 8) {
    __asm__ __volatile__("cmpl $0, (%0)\n\t"
                         "jne 2f\n"
                         "1:\n\t"
                         ".pushsection .text.unlikely.upcr_flags,\"ax\",@progbits\n"
                         "2:\n\t"
                         "leaq -128(%%rsp), %%rsp\n\t"
                         "pushq %%rax\n\t"
                         "pushq %1\n\t"
                         "leaq %2, %%rax\n\t"
                         "pushq %%rax\n\t"
                         "call upcr_i_flag_write_here@PLT\n\t"
                         "movq 16(%%rsp), %%rax\n\t"
                         "leaq 152(%%rsp), %%rsp\n\t"
                         "jmp 1b\n\t"
                         ".popsection"
                         :
                         : "r"(upcr_flag_waiters), "r"(upcr_a), "m"(*upcr_site)
                         : "cc");
    return;
  }
#endif
  if (__builtin_expect(*upcr_flag_waiters != 0, 0) && upcr_i_is_awaited(upcr_a, upcr_size))
    upcr_i_flag_write(upcr_site, upcr_a);
}

#endif

/* Part of pgas_upcr.h: accesses to shared data that are counted where they happen, by code of the
 * program itself. */
#ifndef UPCR_COUNTS_H
#define UPCR_COUNTS_H

/* A place in the source where accesses to shared data are counted instead of reported, or a
 * function whose calls are. */
typedef struct {
  const char *upcr_file;
  int upcr_line;
  int upcr_is_put;
  int upcr_counter;        /* which counts it; several sites may be passed equally often */
  const char *upcr_called; /* the function, at its place */
} upcr_access_site;

/* Those of a function. `counts` has for each counter `upcr_count_row` numbers, by the thread that
 * the data has affinity to; it points to before the first of them, so that the upper bits of an
 * address are the index. Pointers to all tables of a program lie in one section. */
typedef struct upcr_access_table {
  const upcr_access_site *upcr_sites;
  int upcr_sites_count, upcr_counters;
  int upcr_is_dirty;
  unsigned long upcr_id; /* that of upcr_access_size */
  unsigned long *upcr_counts;
  unsigned long *upcr_reported; /* where the numbers were when they were last looked at */
  unsigned long *upcr_calls;    /* by counter, of functions that count their own calls, or null */
  unsigned *upcr_bytes;         /* of one access, by site */
  unsigned *upcr_own_bytes;     /* of one that has no upcr_access_size, by counter */
  struct upcr_access_table *upcr_next;
  int upcr_samples;     /* it was prepared for samples */
  int upcr_is_counting; /* the UPC thread of this process counts what it does not report */
  /* Counted accesses that were reported as events, by site and thread (inst_flags.c, inst_far.c).
   */
  unsigned *upcr_waited;
} upcr_access_table;

/* Bytes of an access, in section `upcr_sizes`: they may be known only where a type is declared. */
typedef struct {
  unsigned long upcr_id;
  int upcr_site;
  unsigned upcr_bytes;
} upcr_access_size;

/* Numbers of a counter. */
extern const long upcr_count_row;
extern void upcr_i_open_table(upcr_access_table *upcr_table);

/* The counts of a table, which the runtime will look at with the next event that changes the call
 * path. */
UPCR_INLINE unsigned long *upcr_counts_of(upcr_access_table *upcr_table) {
  if (__builtin_expect(!upcr_table->upcr_is_dirty, 0)) upcr_i_open_table(upcr_table);
  return upcr_table->upcr_counts;
}
/* Numbers begin below zero, and the access with which one gets there is sampled. */
extern void upcr_i_sample(unsigned long *upcr_row, upcr_addr_t upcr_a);
/* Nothing but the runtime reads the numbers, much later. If the compiler knew that memory is
 * written here, it would take it that this may be what the program has in registers. For the same
 * reason a sample is taken by a call that the compiler knows nothing of: it keeps all registers,
 * and what lies below the stack pointer. */
UPCR_INLINE void upcr_count(unsigned long *upcr_counts, long upcr_counter, upcr_addr_t upcr_a) {
  unsigned long *upcr_row = upcr_counts + upcr_counter * upcr_count_row;
#if defined(__x86_64__) && defined(__LP64__)
  __asm__ __volatile__("addq $1, (%0,%1,8)\n\t"
                       "jz 2f\n"
                       "1:\n\t"
                       ".pushsection .text.unlikely.upcr_samples,\"ax\",@progbits\n"
                       "2:\n\t"
                       "leaq -128(%%rsp), %%rsp\n\t"
                       "pushq %2\n\t"
                       "pushq %0\n\t"
                       "call upcr_i_sample_here@PLT\n\t"
                       "leaq 144(%%rsp), %%rsp\n\t"
                       "jmp 1b\n\t"
                       ".popsection"
                       :
                       : "r"(upcr_row), "r"(upcr_a >> UPCR_SHIFT), "r"(upcr_a)
                       : "cc");
#else
  if (__builtin_expect(++upcr_row[upcr_a >> UPCR_SHIFT] == 0, 0)) upcr_i_sample(upcr_row, upcr_a);
#endif
}
/* A call is counted as an access to own data is. */
UPCR_INLINE void upcr_count_call(unsigned long *upcr_counts, long upcr_counter) {
  unsigned long *upcr_row = upcr_counts + upcr_counter * upcr_count_row + UPCR_FIRST;
#if defined(__x86_64__) && defined(__LP64__)
  __asm__ __volatile__("addq $1, (%0,%1,8)" : : "r"(upcr_row), "r"((long)upcr_mythread) : "cc");
#else
  upcr_row[upcr_mythread]++;
#endif
}
/* The same in a function that counts its own calls, where it is not known whether this thread
 * counts; `upcr_calls` is its counter among those of the table. Such functions are often a few
 * instructions long: where nothing is counted, this is a comparison and a jump that is not taken.
 * All else is at the function's end, and keeps all registers but one. */
UPCR_INLINE void upcr_count_call_if(upcr_access_table *upcr_table, unsigned long *upcr_calls) {
#if defined(__x86_64__) && defined(__LP64__)
  __asm__ goto("cmpl $0, %0\n\t"
               "jne %l[upcr_counting]"
               :
               : "m"(upcr_table->upcr_is_counting)
               : "cc"
               : upcr_counting);
  return;
upcr_counting:
  __attribute__((cold));
  __asm__ __volatile__("movq upcr_counts_accesses@gottpoff(%%rip), %%rax\n\t"
                       "cmpl $0, %%fs:(%%rax)\n\t"
                       "je 1f\n\t"
                       "cmpl $0, %0\n\t"
                       "je 3f\n"
                       "2:\n\t"
                       "addq $1, %1\n"
                       "1:\n\t"
                       ".pushsection .text.unlikely.upcr_counts,\"ax\",@progbits\n"
                       "3:\n\t"
                       "leaq %0, %%rax\n\t"
                       "leaq -128(%%rsp), %%rsp\n\t"
                       "pushq $0\n\t"
                       "pushq %%rax\n\t"
                       "call upcr_i_sample_here@PLT\n\t"
                       "leaq 144(%%rsp), %%rsp\n\t"
                       "jmp 2b\n\t"
                       ".popsection"
                       :
                       : "m"(upcr_table->upcr_is_dirty), "m"(*upcr_calls)
                       : "rax", "cc");
#else
  if (upcr_table->upcr_is_counting && upcr_counts_accesses) {
    upcr_counts_of(upcr_table);
    ++*upcr_calls;
  }
#endif
}
/* Those of a loop. */
UPCR_INLINE void upcr_count_calls(unsigned long *upcr_counts, long upcr_counter,
                                  unsigned long upcr_calls) {
  upcr_counts[upcr_counter * upcr_count_row + UPCR_FIRST + upcr_mythread] += upcr_calls;
}
/* Accesses to own data that a loop has counted by itself. */
UPCR_INLINE void upcr_count_own(upcr_access_table *upcr_table, long upcr_counter,
                                unsigned long upcr_accesses, unsigned upcr_bytes) {
  upcr_table->upcr_own_bytes[upcr_counter] = upcr_bytes;
  upcr_table->upcr_counts[upcr_counter * upcr_count_row + UPCR_FIRST + upcr_mythread] +=
      upcr_accesses;
}

#ifdef UPCR_MPI
/* Site of the next access, null if it is not counted. If the access waits for another node, it is
 * reported as an event of this site. */
extern __thread const upcr_access_site *upcr_far_site
    __attribute__((__tls_model__("initial-exec")));
#endif

#endif

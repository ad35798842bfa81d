/* Samples of counted accesses with their addresses. The numbers that count begin below zero, each
 * as far as the next access to be sampled is away, so that the count of an access also shows
 * whether it is to be sampled. Accesses are sampled in bursts: while one goes on, all numbers of
 * the table stand before zero. */
#define _GNU_SOURCE
#include <stddef.h>

#include "inst_counts.h"
#include "runtime.h"

/* Numbers of a table of which each is kept while a burst goes on; of a larger table a burst is of
 * accesses that one number counts. */
#define MOST_KEPT 1024
/* A number that never gets to zero. */
#define NEVER (1ul << 40)

/* A tool that takes samples has these. The first one samples an access, and returns how many
 * accesses later the next one is to be sampled (1: a burst goes on); the other one returns that for
 * an access that was not sampled. */
extern unsigned pgas_sampled_access(gasp_context_t, int is_put, const char *file, int line,
                                    int thread, unsigned long address, unsigned long bytes)
    __attribute__((weak));
extern unsigned pgas_next_sample(gasp_context_t) __attribute__((weak));

static gasp_context_t context;
static struct {
  upcr_access_table *table;
  unsigned long *number; /* which it began with */
  unsigned long *first;  /* of those that stand before zero */
  long numbers;
  unsigned long left[MOST_KEPT]; /* how far each was from zero */
} burst;

/* The state of all registers, but for those that calls keep, is saved around what takes a sample.
 */
#if defined(__x86_64__) && defined(__LP64__)
/* x87, SSE, AVX and AVX-512; their size in memory; 0 where it is not known. */
UPCR_HIDDEN unsigned upcr_i_saved_parts, upcr_i_saved_bytes = 512;
#include <cpuid.h>
static void find_registers(void) {
  unsigned a, b, c, d;
  upcr_i_saved_bytes = 512;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0) return;
  unsigned enabled, high;
  __asm__("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
  upcr_i_saved_parts = enabled & 0xe7;
  /* Parts lie where they do when all are in use. */
  upcr_i_saved_bytes = (upcr_i_saved_parts & 0xe0) != 0 ? 2752 : 832;
}
/* A function that keeps all registers, and calls another one with the two numbers that were pushed,
 * the last one first. `first` may leave it early. */
#define KEEPING_REGISTERS(name, first, called)                                       \
  __asm__(".pushsection .text.unlikely\n"                                            \
          ".globl " name "\n"                                                        \
          ".type " name ", @function\n" name ":\n\t" first "pushq %rbp\n\t"          \
          "movq %rsp, %rbp\n\t"                                                      \
          "pushq %rax\n\tpushq %rcx\n\tpushq %rdx\n\tpushq %rsi\n\tpushq %rdi\n\t"   \
          "pushq %r8\n\tpushq %r9\n\tpushq %r10\n\tpushq %r11\n\tpushq %rbx\n\t"     \
          "movl upcr_i_saved_bytes(%rip), %ecx\n\t"                                  \
          "subq %rcx, %rsp\n\t"                                                      \
          "andq $-64, %rsp\n\t"                                                      \
          "movl upcr_i_saved_parts(%rip), %ebx\n\t"                                  \
          "testl %ebx, %ebx\n\t"                                                     \
          "jz 1f\n\t"                                                                \
          "xorl %eax, %eax\n\t"                                                      \
          "movq %rax, 512(%rsp)\n\tmovq %rax, 520(%rsp)\n\tmovq %rax, 528(%rsp)\n\t" \
          "movq %rax, 536(%rsp)\n\tmovq %rax, 544(%rsp)\n\tmovq %rax, 552(%rsp)\n\t" \
          "movq %rax, 560(%rsp)\n\tmovq %rax, 568(%rsp)\n\t"                         \
          "movl %ebx, %eax\n\txorl %edx, %edx\n\t"                                   \
          "xsave64 (%rsp)\n\t"                                                       \
          "jmp 2f\n"                                                                 \
          "1:\tfxsave64 (%rsp)\n"                                                    \
          "2:\tmovq 16(%rbp), %rdi\n\t"                                              \
          "movq 24(%rbp), %rsi\n\t"                                                  \
          "cld\n\t"                                                                  \
          "call " called "\n\t"                                                      \
          "testl %ebx, %ebx\n\t"                                                     \
          "jz 3f\n\t"                                                                \
          "movl %ebx, %eax\n\txorl %edx, %edx\n\t"                                   \
          "xrstor64 (%rsp)\n\t"                                                      \
          "jmp 4f\n"                                                                 \
          "3:\tfxrstor64 (%rsp)\n"                                                   \
          "4:\tleaq -80(%rbp), %rsp\n\t"                                             \
          "popq %rbx\n\tpopq %r11\n\tpopq %r10\n\tpopq %r9\n\tpopq %r8\n\t"          \
          "popq %rdi\n\tpopq %rsi\n\tpopq %rdx\n\tpopq %rcx\n\tpopq %rax\n\t"        \
          "popq %rbp\n\t"                                                            \
          "ret\n\t"                                                                  \
          ".size " name ", .-" name "\n\t"                                           \
          ".popsection")
KEEPING_REGISTERS("upcr_i_sample_here", "", "upcr_i_sample");
/* Most writes are not to what a thread waits for: no other address with the same bits is. */
KEEPING_REGISTERS("upcr_i_flag_write_here",
                  "pushq %rax\n\t"
                  "pushq %rcx\n\t"
                  "movq 32(%rsp), %rcx\n\t"
                  "shrq $3, %rcx\n\t"
                  "andl $63, %ecx\n\t"
                  "movq upcr_flag_waiters(%rip), %rax\n\t"
                  "cmpl $0, 64(%rax,%rcx,4)\n\t"
                  "popq %rcx\n\t"
                  "popq %rax\n\t"
                  "jne 5f\n\t"
                  "ret\n"
                  "5:\t",
                  "upcr_i_flag_write");
#else
static void find_registers(void) {}
#endif

void upcr_i_prepare_samples(gasp_context_t c) {
  context = c;
  find_registers();
}

/* A number that counts as before, and gets to zero with the access that is `next` later. */
static void set(upcr_access_table *table, unsigned long *number, unsigned long next) {
  unsigned long *reported = table->upcr_reported + (number - table->upcr_counts);
  *reported += 0 - next - *number;
  *number = 0 - next;
}

static const upcr_access_site *site_of(const upcr_access_table *table, long counter) {
  for (int site = 0; site < table->upcr_sites_count; site++)
    if (table->upcr_sites[site].upcr_counter == counter) return &table->upcr_sites[site];
  return NULL;
}

static unsigned bytes_at(const upcr_access_table *table, const upcr_access_site *site) {
  return site == NULL ? 0 : table->upcr_bytes[site - table->upcr_sites];
}

void upcr_i_begin_samples(upcr_access_table *table) {
  if (table->upcr_samples) return;
  table->upcr_samples = 1;
  if (!pgas_sampled_access || !pgas_next_sample) return;
  for (long counter = 0; counter < table->upcr_counters; counter++) {
    if (bytes_at(table, site_of(table, counter)) == 0) continue;
    unsigned long *row = table->upcr_counts + counter * upcr_count_row + UPCR_FIRST;
    for (long thread = 0; thread < upcr_count_row; thread++)
      set(table, &row[thread], pgas_next_sample(context));
  }
}

static void begin_burst(upcr_access_table *table, unsigned long *number) {
  long all = table->upcr_counters * upcr_count_row;
  burst.table = table;
  burst.number = number;
  burst.first = all <= MOST_KEPT ? table->upcr_counts + UPCR_FIRST : number;
  burst.numbers = all <= MOST_KEPT ? all : 1;
  for (long i = 0; i < burst.numbers; i++) {
    burst.left[i] = 0 - burst.first[i];
    if (burst.left[i] <= NEVER && burst.left[i] != 0) set(table, &burst.first[i], 1);
  }
  set(table, number, 1);
}

/* The next access of the number that it began with is sampled `after` accesses later. */
static void end_burst(unsigned long after) {
  for (long i = 0; i < burst.numbers; i++)
    if (burst.left[i] <= NEVER && burst.left[i] != 0)
      set(burst.table, &burst.first[i], burst.left[i]);
  set(burst.table, burst.number, after);
  burst.table = NULL;
}

static upcr_access_table *table_of(const unsigned long *row) {
  for (upcr_access_table *t = upcr_i_dirty_tables; t != NULL; t = t->upcr_next)
    if (row >= t->upcr_counts && row < t->upcr_counts + t->upcr_counters * upcr_count_row) return t;
  return NULL;
}

/* The number in `row` for the thread that the address belongs to is zero; or, without an address, a
 * table is to be opened, whose upcr_is_dirty this is. */
void upcr_i_sample(unsigned long *row, upcr_addr_t a) {
  if (a == 0) {
    char *table = (char *)row - offsetof(upcr_access_table, upcr_is_dirty);
    upcr_i_open_table((upcr_access_table *)(void *)table);
    return;
  }
  upcr_access_table *table = table_of(row);
  unsigned long *number = &row[a >> UPCR_SHIFT];
  if (table == NULL) return;
  const upcr_access_site *site = site_of(table, (row - table->upcr_counts) / upcr_count_row);
  unsigned bytes = bytes_at(table, site);
  if (bytes == 0 || !pgas_sampled_access) return;
  /* A burst of a table that is not used any more. */
  if (burst.table != NULL && burst.table != table) end_burst(pgas_next_sample(context));
  unsigned after =
      pgas_sampled_access(context, site->upcr_is_put, site->upcr_file, site->upcr_line,
                          (int)(a >> UPCR_SHIFT) - UPCR_FIRST, a & UPCR_OFFSET_MASK, bytes);
  if (after == 1) {
    if (burst.table == NULL) begin_burst(table, number);
    else set(table, number, 1);
  } else if (burst.table != NULL) {
    end_burst(after);
  } else {
    set(table, number, after);
  }
}

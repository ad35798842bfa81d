/* Kinds of barriers that threads arrive at, and pairs that do not match. Part of barrier.c of each
 * network. */
#ifndef UPCR_BARRIER_ARRIVALS_H
#define UPCR_BARRIER_ARRIVALS_H

#include <stdio.h>

#include "runtime.h"

uint32_t upcr_collectives;
uint32_t upcr_collectives_finished;

static uint32_t epoch; /* of this thread's latest arrival */
static int notified;   /* between upc_notify and upc_wait */

// clang-format off
const char *const upcr_kind_names[UPCR_KINDS] = {
  "a barrier", "the start of the program", "the end of the program",
  "upc_all_broadcast", "upc_all_scatter", "upc_all_gather", "upc_all_gather_all",
  "upc_all_exchange", "upc_all_permute", "upc_all_reduce", "upc_all_prefix_reduce", "upc_all_sort",
  "a bupc_allv_ operation",
  "upc_all_alloc", "upc_all_free", "upc_all_lock_alloc", "upc_all_lock_free",
#define NAME(kind, name) name,
    UPCR_IO_FUNCTIONS(NAME)
#undef NAME
};
// clang-format on

static struct upcr_arrival *arrival_of(int thread, uint32_t at) {
  return &upcr_control->threads[thread].arrivals[at & 1];
}

/* ---- What does not fit together ---- */

static void describe(char *text, size_t size, int thread, const struct upcr_arrival *a) {
  const char *at = upcr_at(upcr_text_of(a->file), a->line);
  if (a->kind == UPCR_AT_END)
    snprintf(text, size, "thread %d ended with status %d", thread, a->status);
  else if (a->kind != UPCR_AT_BARRIER)
    snprintf(text, size, "thread %d is at %s%s", thread, upcr_kind_names[a->kind], at);
  else if (a->named)
    snprintf(text, size, "thread %d is at a barrier with the value %d%s", thread, a->value, at);
  else snprintf(text, size, "thread %d is at a barrier without a value%s", thread, at);
}

void upcr_describe_arrival(char *text, size_t size, int thread, uint32_t at) {
  describe(text, size, thread, arrival_of(thread, at));
}

int upcr_status_of_arrival(int thread, uint32_t at) {
  const struct upcr_arrival *a = arrival_of(thread, at);
  return a->kind == UPCR_AT_END ? a->status : 0;
}

static void mismatch(int one, int other, uint32_t at) __attribute__((noreturn));
static void mismatch(int one, int other, uint32_t at) {
  char first[400], second[400];
  const struct upcr_arrival *a = arrival_of(one, at), *b = arrival_of(other, at);
  const struct upcr_arrival *end = a->kind == UPCR_AT_END ? a : b->kind == UPCR_AT_END ? b : NULL;
  describe(first, sizeof first, one, a);
  describe(second, sizeof second, other, b);
  /* Several threads see the same; one says it. */
  if (upcr_claim_end(end != NULL && end->status != 0 ? end->status : 1))
    upcr_say("%s, but %s: %s", first, second,
             a->kind == b->kind ? "the values of a barrier must be equal on all threads"
                                : "all threads must come to the same one");
  upcr_leave();
}

static int differ(const struct upcr_arrival *a, const struct upcr_arrival *b) {
  return a->kind != b->kind || (a->named && b->named && a->value != b->value);
}

#endif

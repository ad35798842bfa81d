/* Preparation and check of block transfers. */
#include <string.h>
#include "transfers.h"

static unsigned char expected(const struct transfer *of, int buffer, size_t position) {
  if (of->kind == TRANSFER_SET) return TRANSFER_BYTE;
  struct pattern pattern = {of->kind == TRANSFER_GET ? of->partner : 0, 0, buffer};
  return pattern_at(pattern, position);
}

static void fill(const struct transfer *of) {
  for (int buffer = 0; buffer < of->from.count; buffer++) {
    struct pattern pattern = {MYTHREAD, 0, buffer};
    char *source = own_place(&of->from, buffer), *target = own_place(&of->to, buffer);
    for (size_t i = 0; i < of->bytes; i++) {
      source[i] = (char)pattern_at(pattern, i);
      target[i] = (char)~expected(of, buffer, i);
    }
  }
}

void *pgas_upc_prepare_transfer(const pgas_case *with, enum transfer_kind kind) {
  int partner = partner_argument(with, "near", 0);
  size_t bytes = some_bytes(with);
  struct transfer *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  if (partner < 0 || bytes == 0) return free(of), NULL;
  of->with = with;
  of->kind = kind;
  of->partner = partner;
  of->bytes = bytes;
  of->from = places_of(bytes, with->buffers);
  of->to = places_of(bytes, with->buffers);
  if (MYTHREAD == 0 || MYTHREAD == partner) fill(of);
  upc_barrier;
  return of;
}

int pgas_upc_check_transfer(void *state, long launch) {
  struct transfer *of = state;
  if (MYTHREAD != (of->kind == TRANSFER_GET ? 0 : of->partner)) return 0;
  int buffer = (int)(launch % of->to.count);
  const char *at = own_place(&of->to, launch);
  for (size_t i = 0; i < of->bytes; i++)
    if ((unsigned char)at[i] != expected(of, buffer, i)) {
      pgas_complain(of->with, "byte %zu is %u instead of %u", i, (unsigned char)at[i],
                    expected(of, buffer, i));
      return 1;
    }
  return 0;
}

void pgas_upc_finish_transfer(void *state) {
  struct transfer *of = state;
  free_places(&of->from);
  free_places(&of->to);
  free(of);
}

/* Coarray Fortran: numbers of coarrays, and of what lies in them, equal on all images.
 *
 * A token identifies a coarray on its image only. But all images register coarrays in the same
 * order, as they have to do that together, so the first one is number 1 on all of them. Teams are
 * the exception: coarrays that a team allocates are there until the team ends, and have numbers
 * after those of all images, which the next team has again. */
#include <stdlib.h>

#include "caf_numbers.h"

struct entry {
  caf_token token;
  uint32_t number; /* 0: there was one that is forgotten */
  int kind;
};

/* A hash table, at most half of it in use; and the entry that was found last. */
static struct entry *entries;
static size_t capacity, used;
static struct entry last_found;
static uint32_t last_number;

static size_t slot_of(caf_token token) {
  return (size_t)(((uintptr_t)token >> 4) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
}

/* The entry of a token, or the free one where it would be. */
static struct entry *find(caf_token token) {
  size_t slot = slot_of(token);
  while (entries[slot].token && entries[slot].token != token) slot = (slot + 1) & (capacity - 1);
  return &entries[slot];
}

/* Makes room: of forgotten entries, and twice as much where that does not suffice. */
static int make_room(void) {
  struct entry *old = entries;
  size_t old_capacity = capacity, live = 0;
  for (size_t i = 0; i < old_capacity; i++) live += old[i].number != 0;
  size_t wanted = capacity == 0 ? 64 : 4 * live > capacity ? 2 * capacity : capacity;
  struct entry *room = calloc(wanted, sizeof *room);
  if (!room) return 0;
  entries = room;
  capacity = wanted;
  used = live;
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i].number) *find(old[i].token) = old[i];
  free(old);
  return 1;
}

void pgas_caf_number(caf_token token, int kind) {
  last_number++;
  if (!token || (2 * (used + 1) > capacity && !make_room())) return;
  struct entry *entry = find(token);
  if (!entry->token) used++;
  *entry = (struct entry){token, last_number, kind};
  last_found = *entry;
}

void pgas_caf_forget(caf_token token) {
  last_found.token = NULL;
  if (!token || capacity == 0) return;
  struct entry *entry = find(token);
  if (entry->token) entry->number = 0;
}

uint32_t pgas_caf_last_number(void) { return last_number; }
void pgas_caf_return_to_number(uint32_t last) { last_number = last; }

static const struct entry *entry_of(caf_token token) {
  if (token != last_found.token) {
    if (!token || capacity == 0) return NULL;
    last_found = *find(token);
    if (!last_found.token) return NULL;
  }
  return last_found.number ? &last_found : NULL;
}

/* 24 bits of the number, 40 of the offset. */
uint64_t pgas_caf_address(caf_token token, uint64_t offset) {
  const struct entry *entry = entry_of(token);
  return entry ? (uint64_t)entry->number << 40 | (offset & (((uint64_t)1 << 40) - 1)) : 0;
}

/* 19 bits of the number, 20 of the image, 24 of the index; the highest bit is that of pairs of
 * images. */
uint64_t pgas_caf_object(caf_token token, size_t index, int image) {
  const struct entry *entry = entry_of(token);
  uint64_t number = entry ? entry->number : 0;
  return (number & 0x7ffff) << 44 | ((uint64_t)image & 0xfffff) << 24 | (index & 0xffffff);
}

int pgas_caf_is_critical(caf_token token) {
  const struct entry *entry = entry_of(token);
  return entry && entry->kind == CAF_CRITICAL;
}

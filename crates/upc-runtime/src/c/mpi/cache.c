/* A cache of far memory in software. The memory model lets a thread keep relaxed reads until its
 * next strict access, fence, barrier, lock operation or collective, and gather relaxed writes until
 * then: a walk through an array so costs one message for a line, and lines ahead are fetched before
 * they are needed.
 *
 * A thread must read again its own writes, and values of one place must not go back. Requests
 * to a process are handled in their order, so a line that is fetched after writes were sent has
 * them; bytes that were written while it is fetched, or before and not sent, stay as they are when
 * it arrives (`written`). A loop that waits for a relaxed flag must come to its end, too: what is
 * older than some milliseconds is fetched again, and written bytes are sent by then. */
#include <stdlib.h>
#include <time.h>

#include "cache.h"

#define LINE UPCR_CACHE_LINE
#define WORDS (LINE / 64)
#define SETS 512u
#define WAYS 4
/* Lines with bytes to be written, before they are sent. */
#define MOST_DIRTY 64
/* Lines ahead in a walk. */
#define AHEAD 8
/* The age of what is sent, and, in steps of as long, of what is read again. */
#define OLD_NS 10000000u
#define OLD_STEPS 2

enum state { EMPTY, FETCHING, COMPLETE, WRITTEN /* only those bytes are known */ };

struct line {
  upcr_addr_t addr;
  uint32_t generation; /* that it belongs to; what is not of the present one is not known */
  _Atomic int state;
  int is_ahead; /* fetched before it was asked for, and not asked for since */
  int is_dirty;
  uint64_t written[WORDS]; /* a bit for each byte that we have written in this generation */
  uint64_t dirty[WORDS];   /* ... and not sent */
  char data[LINE] UPCR_ALIGNED;
};

static struct line *lines;     /* null: no cache */
static _Atomic int has_others; /* pthreads that access far memory */
static uint32_t generation = 1;
static struct line *last; /* that was read */
static struct line *dirty_lines[MOST_DIRTY];
static int dirty_count;
/* Between this process's first pthread, which writes, and the progress thread, which sends. */
static struct upcr_guard guard;
static _Atomic uint64_t dirty_since;
/* Steps of time, by the progress thread, which saves us looks at the clock; and at which of them
 * the generation began. */
static _Atomic uint32_t steps;
static uint32_t generation_since;
static __thread int is_first_pthread;
static int next_way;

void upcr_cache_start(void) {
  const char *text = getenv("PGAS_FAR_CACHE");
  is_first_pthread = 1;
  if (upcr_world.nodes == 1 || (text != NULL && strcmp(text, "0") == 0)) return;
  lines = calloc(SETS * WAYS, sizeof *lines);
}

void upcr_cache_stop(void) { lines = NULL; }

int upcr_is_cached(void) {
  if (lines == NULL) return 0;
  int is_off = atomic_load_explicit(&has_others, memory_order_relaxed);
  if (is_first_pthread && !is_off) return 1;
  atomic_store(&has_others, 1);
  upcr_cache_flush();
  return 0;
}

/* ---- At the place of the data ---- */

/* In whole numbers, so that no value is seen half written. */
static void copy_line(void *to, const void *from) {
  const volatile uint64_t *word = from;
  for (unsigned i = 0; i < LINE / 8; i++) ((uint64_t *)to)[i] = word[i];
}

void upcr_handle_get_line(int from, const struct upcr_message *message) {
  uint64_t line[LINE / 8];
  copy_line(line, upcr_local(message->word[0]));
  struct upcr_message reply = {.kind = UPCR_LINE_IS_HERE, .token = message->token};
  upcr_send(from, &reply, line, sizeof line);
}

/* Part of a line in a message: its address, which bytes, and these. */
struct part {
  upcr_addr_t addr;
  uint64_t bytes[WORDS];
  char data[];
};

/* Stores `n` bytes in as large pieces as their place allows: a value that was written in one piece
 * arrives in one piece. */
static void store(char *to, const char *from, unsigned long n) {
  while (n != 0) {
    unsigned long piece = 8;
    while (piece > n || ((uintptr_t)to & (piece - 1)) != 0) piece /= 2;
    uint64_t value = 0;
    memcpy(&value, from, piece);
    switch (piece) {
      case 8: __atomic_store_n((uint64_t *)to, value, __ATOMIC_RELAXED); break;
      case 4: __atomic_store_n((uint32_t *)to, (uint32_t)value, __ATOMIC_RELAXED); break;
      case 2: __atomic_store_n((uint16_t *)to, (uint16_t)value, __ATOMIC_RELAXED); break;
      default: __atomic_store_n((uint8_t *)to, (uint8_t)value, __ATOMIC_RELAXED);
    }
    to += piece;
    from += piece;
    n -= piece;
  }
}

static int has(const uint64_t *bits, unsigned i) { return bits[i / 64] >> (i % 64) & 1; }

/* The next stretch of bytes from `*begin` on; whether there is one. */
static int next_run(const uint64_t *bits, unsigned *begin, unsigned *end) {
  unsigned i = *begin;
  while (i < LINE && !has(bits, i)) i += bits[i / 64] >> (i % 64) == 0 ? 64 - i % 64 : 1;
  *begin = i;
  while (i < LINE && has(bits, i)) i++;
  *end = i;
  return *begin < i;
}

void upcr_handle_put_lines(int from, const struct upcr_message *message) {
  for (unsigned long at = 0; at < message->bytes;) {
    struct part part;
    memcpy(&part, message->payload + at, sizeof part);
    at += sizeof part;
    for (unsigned begin = 0, end; next_run(part.bytes, &begin, &end); begin = end) {
      store(upcr_local(part.addr + begin), message->payload + at, end - begin);
      at += end - begin;
    }
  }
  upcr_acknowledge(from, message);
}

/* ---- Sending what is to be written; inside the guard ---- */

static unsigned count(const uint64_t *bits) {
  unsigned n = 0;
  for (unsigned i = 0; i < WORDS; i++) n += (unsigned)__builtin_popcountl(bits[i]);
  return n;
}

static unsigned long append(char *message, unsigned long at, const struct line *l) {
  struct part part = {.addr = l->addr};
  memcpy(part.bytes, l->dirty, sizeof part.bytes);
  memcpy(message + at, &part, sizeof part);
  at += sizeof part;
  for (unsigned begin = 0, end; next_run(l->dirty, &begin, &end); begin = end) {
    memcpy(message + at, l->data + begin, end - begin);
    at += end - begin;
  }
  return at;
}

static void send_parts(int thread, const char *parts, unsigned long bytes) {
  struct upcr_message message = {.kind = UPCR_PUT_LINES};
  upcr_far_write_at_once(thread, &message, parts, bytes);
}

/* Sends the lines of one thread, in messages of several. */
static void send_lines_of(int thread) {
  char parts[UPCR_PAYLOAD_BYTES];
  unsigned long at = 0;
  int kept = 0;
  for (int i = 0; i < dirty_count; i++) {
    struct line *l = dirty_lines[i];
    if (upcr_thread_of(l->addr) != thread) {
      dirty_lines[kept++] = l;
      continue;
    }
    if (at + sizeof(struct part) + count(l->dirty) > sizeof parts) {
      send_parts(thread, parts, at);
      at = 0;
    }
    at = append(parts, at, l);
    l->is_dirty = 0;
    memset(l->dirty, 0, sizeof l->dirty);
  }
  dirty_count = kept;
  send_parts(thread, parts, at);
}

static void send_all(void) {
  while (dirty_count != 0) send_lines_of(upcr_thread_of(dirty_lines[0]->addr));
  atomic_store_explicit(&dirty_since, 0, memory_order_release);
}

/* Waits for room after it has left the guard: the progress thread, which brings acknowledgements,
 * may be waiting for that. */
void upcr_cache_flush(void) {
  if (atomic_load_explicit(&dirty_since, memory_order_acquire) == 0) return;
  upcr_far_begin_wait();
  upcr_guard_enter(&guard);
  send_all();
  upcr_guard_leave(&guard);
  upcr_far_await_room();
}

void upcr_cache_grow_old(void) {
  static uint64_t latest;
  uint64_t since = atomic_load_explicit(&dirty_since, memory_order_relaxed), now = upcr_now_ns();
  if (now - latest > OLD_NS) {
    atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
    latest = now;
  }
  /* It may have been written after the look at the clock. */
  if (since == 0 || now < since + OLD_NS) return;
  /* The one that is in there sends, and may wait for what we have to bring. */
  if (!upcr_guard_try(&guard)) return;
  send_all();
  upcr_guard_leave(&guard);
}

void upcr_cache_forget(void) {
  generation++;
  generation_since = atomic_load_explicit(&steps, memory_order_relaxed);
  last = NULL;
}

/* ---- Lines ---- */

static struct line *set_of(upcr_addr_t addr) {
  unsigned long number = addr / LINE;
  /* The same places of different threads are used together. */
  return &lines[(number + (addr >> UPCR_SHIFT) * 67) % SETS * WAYS];
}

static struct line *find(upcr_addr_t addr) {
  struct line *set = set_of(addr);
  for (int way = 0; way < WAYS; way++)
    if (set[way].addr == addr && set[way].generation == generation &&
        atomic_load_explicit(&set[way].state, memory_order_acquire) != EMPTY)
      return &set[way];
  return NULL;
}

static int is_on_its_way(const struct line *l) {
  return atomic_load_explicit(&l->state, memory_order_acquire) == FETCHING;
}

/* Lines that have come. */
static struct upcr_flag came;

static void await_line(struct line *l) {
  for (;;) {
    uint32_t seen = atomic_load(&came.value);
    if (!is_on_its_way(l)) return;
    upcr_await_message(&came, seen + 1, upcr_thread_of(l->addr), UPCR_FOR_MESSAGE);
  }
}

/* Sends what is to be written of this line, or waits until the progress thread has. */
static void send_line(const struct line *l) {
  if (atomic_load_explicit(&dirty_since, memory_order_acquire) == 0) return;
  upcr_guard_enter(&guard);
  int must_be_sent = l->is_dirty;
  if (must_be_sent) {
    upcr_far_begin_wait();
    send_all();
  }
  upcr_guard_leave(&guard);
  if (must_be_sent) upcr_far_await_room();
}

/* A line for this address, which is not there, in a state that says so; null if all places are
 * taken by lines on their way. */
static struct line *make_room(upcr_addr_t addr) {
  struct line *set = set_of(addr), *chosen = NULL;
  for (int i = 0; i < WAYS; i++) {
    struct line *l = &set[(next_way + i) % WAYS];
    if (is_on_its_way(l)) continue;
    if (chosen == NULL || (chosen->generation == generation && l->generation != generation))
      chosen = l;
  }
  next_way++;
  if (chosen == NULL) return NULL;
  send_line(chosen);
  if (chosen == last) last = NULL;
  atomic_store_explicit(&chosen->state, EMPTY, memory_order_relaxed);
  chosen->addr = addr;
  chosen->generation = generation;
  chosen->is_ahead = 0;
  memset(chosen->written, 0, sizeof chosen->written);
  upcr_far_open = 1;
  return chosen;
}

/* Whoever handles messages does this, while the line is on its way. */
static void take_line(struct line *l, const char *data) {
  for (unsigned i = 0; i < LINE; i += 64) {
    uint64_t ours = l->written[i / 64];
    if (ours == 0) memcpy(l->data + i, data + i, 64);
    else
      for (unsigned k = 0; k < 64; k++)
        if ((ours >> k & 1) == 0) l->data[i + k] = data[i + k];
  }
  atomic_store_explicit(&l->state, COMPLETE, memory_order_release);
  upcr_flag_set(&came, atomic_load(&came.value) + 1);
}

void upcr_handle_line(int from, const struct upcr_message *message) {
  (void)from;
  take_line((struct line *)message->token, message->payload);
}

/* A one-sided read of a line goes to a buffer first, so that it does not overwrite bytes that this
 * thread writes meanwhile. */
struct reading {
  struct line *line;
  char data[LINE] UPCR_ALIGNED;
};

static void line_is_here(void *argument, uint64_t unused) {
  (void)unused;
  struct reading *r = argument;
  take_line(r->line, r->data);
  free(r);
}

static void read_line(struct line *l) {
  struct reading *r = aligned_alloc(UPCR_LINE, sizeof *r);
  if (r == NULL) upcr_fatal("thread %d: no memory is left for a line", upcr_mythread);
  r->line = l;
  upcr_one_sided_read(r->data, l->addr, LINE, line_is_here, r);
}

static void fetch(struct line *l) {
  struct upcr_message message = {.kind = UPCR_GET_LINE, .token = (uint64_t)l, .word = {l->addr}};
  atomic_store_explicit(&l->state, FETCHING, memory_order_relaxed);
  upcr_waiting++; /* for this one, or soon */
  upcr_network_enter();
  if (upcr_one_sided && upcr_far_is_quiet()) read_line(l);
  else upcr_send(upcr_thread_of(l->addr), &message, NULL, 0);
  upcr_network_leave();
  upcr_waiting--;
}

static int is_memory(upcr_addr_t addr) {
  unsigned long offset = addr & UPCR_OFFSET_MASK;
  return offset + LINE <= upcr_common_heap + upcr_heap_bytes;
}

static void fetch_ahead(upcr_addr_t addr) {
  if (!is_memory(addr) || find(addr) != NULL) return;
  struct line *l = make_room(addr);
  if (l == NULL) return;
  l->is_ahead = 1;
  fetch(l);
}

/* The line is asked for the first time: is this a walk? */
static void look_ahead(struct line *l, int is_miss) {
  if (l->is_ahead) {
    l->is_ahead = 0;
    fetch_ahead(l->addr + AHEAD * LINE);
  } else if (is_miss && find(l->addr - LINE) != NULL) {
    for (unsigned long k = 1; k <= AHEAD; k++) fetch_ahead(l->addr + k * LINE);
  }
}

/* ---- Reading ---- */

static int are_all(const uint64_t *bits, unsigned begin, unsigned long n) {
  for (unsigned i = begin; i < begin + n; i++)
    if (!has(bits, i)) return 0;
  return 1;
}

static int is_old(void) {
  return atomic_load_explicit(&steps, memory_order_relaxed) - generation_since >= OLD_STEPS;
}

/* The line with these bytes in it. */
static struct line *line_with(upcr_addr_t addr, unsigned begin, unsigned long n) {
  struct line *l = find(addr);
  int is_miss = l == NULL;
  while (l == NULL && (l = make_room(addr)) == NULL) await_line(set_of(addr));
  int state = atomic_load_explicit(&l->state, memory_order_acquire);
  if (state == WRITTEN && are_all(l->written, begin, n)) return l;
  if (state != COMPLETE) upcr_far_begin_wait();
  if (state == EMPTY || state == WRITTEN) fetch(l);
  look_ahead(l, is_miss);
  await_line(l);
  return l;
}

static void copy(void *to, const void *from, unsigned long n) {
  switch (n) {
    case 8: memcpy(to, from, 8); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, n);
  }
}

void upcr_cache_read(void *to, upcr_addr_t from, unsigned long n) {
  if (is_old()) {
    upcr_cache_flush();
    upcr_cache_forget();
  }
  upcr_addr_t addr = from & ~(LINE - 1);
  unsigned begin = from & (LINE - 1);
  struct line *l = last;
  if (l == NULL || l->addr != addr) {
    l = line_with(addr, begin, n);
    if (atomic_load_explicit(&l->state, memory_order_relaxed) == COMPLETE) last = l;
  }
  copy(to, l->data + begin, n);
}

/* ---- Writing ---- */

static void mark(uint64_t *bits, unsigned begin, unsigned long n) {
  unsigned first = begin / 64, shift = begin % 64;
  uint64_t ones = n == 64 ? ~0ul : (1ul << n) - 1;
  bits[first] |= ones << shift;
  if (shift + n > 64) bits[first + 1] |= ones >> (64 - shift);
}

void upcr_cache_write(upcr_addr_t to, const void *from, unsigned long n) {
  upcr_addr_t addr = to & ~(LINE - 1);
  unsigned begin = to & (LINE - 1);
  struct line *l = find(addr);
  while (l == NULL && (l = make_room(addr)) == NULL) await_line(set_of(addr));
  await_line(l);
  if (!l->is_dirty && dirty_count == MOST_DIRTY) upcr_cache_flush();
  upcr_guard_enter(&guard);
  if (atomic_load_explicit(&l->state, memory_order_relaxed) == EMPTY)
    atomic_store_explicit(&l->state, WRITTEN, memory_order_relaxed);
  copy(l->data + begin, from, n);
  mark(l->written, begin, n);
  mark(l->dirty, begin, n);
  if (!l->is_dirty) {
    l->is_dirty = 1;
    dirty_lines[dirty_count++] = l;
    if (dirty_count == 1) atomic_store_explicit(&dirty_since, upcr_now_ns(), memory_order_relaxed);
  }
  upcr_guard_leave(&guard);
}

/* ---- Past the cache ---- */

static int meets(const struct line *l, upcr_addr_t addr, unsigned long n) {
  return l->generation == generation && l->addr < addr + n && addr < l->addr + LINE &&
         atomic_load_explicit(&l->state, memory_order_relaxed) != EMPTY;
}

/* Sends what is to be written there. */
static void send_range(upcr_addr_t addr, unsigned long n) {
  if (atomic_load_explicit(&dirty_since, memory_order_acquire) == 0) return;
  /* The progress thread may be sending them. */
  upcr_guard_enter(&guard);
  int must_be_sent = 0;
  for (int i = 0; i < dirty_count; i++) must_be_sent |= meets(dirty_lines[i], addr, n);
  if (must_be_sent) send_all();
  upcr_guard_leave(&guard);
  if (must_be_sent) upcr_far_await_room();
}

void upcr_far_past_cache(upcr_addr_t addr, unsigned long n) {
  if (!upcr_is_cached()) return;
  send_range(addr, n);
  /* Cached data may be older than data read now; nobody will look at a line on its way. */
  if (n > SETS * LINE) {
    upcr_cache_flush();
    upcr_cache_forget();
    return;
  }
  for (upcr_addr_t at = addr & ~(LINE - 1); at < addr + n; at += LINE) {
    struct line *l = find(at);
    if (l != NULL) l->generation = generation - 1;
    if (l == last) last = NULL;
  }
}

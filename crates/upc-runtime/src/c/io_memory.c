/* Where in memory the data of an input or output operation is: a sequence of pieces of private
 * memory, or of shared memory in blocks that go round the threads. */
#include <string.h>

#include "io.h"

static size_t entry_bytes(const struct upcr_io_memory *m, size_t index) {
  return m->local != NULL ? m->local[index].len : m->shared[index].bytes;
}

/* With one thread the blocks follow each other. */
static size_t block_of(const struct upcr_io_memory *m, size_t index) {
  return m->shared == NULL || upcr_threads == 1 ? 0 : m->shared[index].block;
}

/* Settles `at` and `bytes` for the present index and offset. */
static void locate(struct upcr_io_memory *m) {
  while (m->index < m->entries && m->offset >= entry_bytes(m, m->index)) {
    m->offset -= entry_bytes(m, m->index);
    m->index++;
  }
  if (m->index == m->entries) {
    m->bytes = 0;
    return;
  }
  if (m->local != NULL) {
    m->at = (upcr_addr_t)m->local[m->index].baseaddr + m->offset;
    m->bytes = m->local[m->index].len - m->offset;
    return;
  }
  const struct upcr_shared_memvec *entry = &m->shared[m->index];
  m->at = entry->base.addr + m->offset;
  m->bytes = entry->bytes - m->offset;
  size_t block_bytes = block_of(m, m->index);
  if (block_bytes == 0) return;
  /* The phase of a pointer that is given to a function of this library does not count: a block
   * begins at it. */
  unsigned long thread = (unsigned long)upcr_thread_of(entry->base.addr),
                threads = (unsigned long)upcr_threads;
  unsigned long block = thread + m->offset / block_bytes, within = m->offset % block_bytes;
  m->at = entry->base.addr + ((block % threads - thread) << UPCR_SHIFT) +
          block / threads * block_bytes + within;
  if (m->bytes > block_bytes - within) m->bytes = block_bytes - within;
}

void upcr_io_memory_start(struct upcr_io_memory *m, size_t skip) {
  m->index = 0;
  m->offset = skip;
  locate(m);
}

void upcr_io_memory_advance(struct upcr_io_memory *m, size_t bytes) {
  if (bytes < m->bytes) {
    m->offset += bytes;
    m->at += bytes;
    m->bytes -= bytes;
    return;
  }
  size_t block = m->index < m->entries ? block_of(m, m->index) : 0;
  size_t piece = m->bytes;
  m->offset += bytes;
  if (block == 0 || bytes > piece || m->offset >= m->shared[m->index].bytes) {
    locate(m);
    return;
  }
  /* Without a division: there may be a block for every few bytes. */
  m->at += piece;
  if (upcr_thread_of(m->at - 1) + 1 < upcr_threads) m->at += (1ul << UPCR_SHIFT) - block;
  else m->at -= (unsigned long)(upcr_threads - 1) << UPCR_SHIFT;
  size_t rest = m->shared[m->index].bytes - m->offset;
  m->bytes = rest < block ? rest : block;
}

/* ---- Extent ---- */

/* In blocks, an entry may have pieces in every segment, up to one block beyond its share. */
static struct upcr_io_span span_of(const struct upcr_io_memory *m, size_t index) {
  const struct upcr_shared_memvec *entry = &m->shared[index];
  upcr_addr_t offset = entry->base.addr & UPCR_OFFSET_MASK;
  size_t block_bytes = block_of(m, index);
  if (block_bytes == 0 || entry->bytes <= block_bytes)
    return (struct upcr_io_span){upcr_thread_of(entry->base.addr), offset, offset + entry->bytes};
  size_t rounds = entry->bytes / block_bytes / (size_t)upcr_threads + 2;
  return (struct upcr_io_span){-1, offset, offset + rounds * block_bytes};
}

static struct upcr_io_span join(struct upcr_io_span a, struct upcr_io_span b) {
  if (a.begin == a.end) return b;
  return (struct upcr_io_span){a.thread == b.thread ? a.thread : -1,
                               a.begin < b.begin ? a.begin : b.begin,
                               a.end > b.end ? a.end : b.end};
}

struct upcr_io_span upcr_io_memory_span(const struct upcr_io_memory *m) {
  struct upcr_io_span span = {0, 0, 0};
  if (m->shared == NULL) return span;
  for (size_t i = 0; i < m->entries; i++)
    if (m->shared[i].bytes != 0) span = join(span, span_of(m, i));
  return span;
}

int upcr_io_spans_meet(struct upcr_io_span a, struct upcr_io_span b) {
  return (a.thread < 0 || b.thread < 0 || a.thread == b.thread) && a.begin < b.end &&
         b.begin < a.end;
}

/* ---- Copying; what differs between the two directions and the usual sizes of elements is known
 * when this is compiled */

#define INLINE static inline __attribute__((always_inline))

INLINE void copy(char *memory, char *buffer, size_t bytes, int to_memory) {
  if (to_memory) upcr_move_bytes(memory, buffer, bytes);
  else upcr_move_bytes(buffer, memory, bytes);
}

/* `count` whole blocks, thread by thread: those of one thread lie together, and the places of
 * different threads would compete for the same sets of caches. Gives the place of the next block.
 */
INLINE upcr_addr_t copy_blocks(upcr_addr_t at, char *buffer, size_t count, size_t block,
                               int to_memory) {
  const size_t threads = (size_t)upcr_threads, first = (size_t)upcr_thread_of(at);
  for (size_t k = 0; k < threads && k < count; k++) {
    upcr_addr_t own = at + (k << UPCR_SHIFT);
    if (first + k >= threads) own += block - (threads << UPCR_SHIFT);
    char *from = buffer + k * block;
    for (size_t i = k; i < count; i += threads) {
      copy(upcr_local(own), from, block, to_memory);
      own += block;
      from += threads * block;
    }
  }
  size_t next = first + count;
  return at + ((next % threads - first) << UPCR_SHIFT) + next / threads * block;
}

INLINE void copy_all(struct upcr_io_memory *m, char *buffer, size_t bytes, int to_memory) {
  while (bytes != 0) {
    size_t block = m->index < m->entries ? block_of(m, m->index) : 0;
    size_t rest = m->index < m->entries ? entry_bytes(m, m->index) - m->offset : 0;
    if (rest > bytes) rest = bytes;
    if (block == 0 || m->bytes != block || rest < 2 * block) {
      size_t n = bytes < m->bytes ? bytes : m->bytes;
      copy(upcr_local(m->at), buffer, n, to_memory);
      upcr_io_memory_advance(m, n);
      buffer += n;
      bytes -= n;
      continue;
    }
    /* All but the last of the blocks, which advancing is left with. */
    size_t count = rest / block - 1;
    m->at = block == 4   ? copy_blocks(m->at, buffer, count, 4, to_memory)
            : block == 8 ? copy_blocks(m->at, buffer, count, 8, to_memory)
                         : copy_blocks(m->at, buffer, count, block, to_memory);
    m->offset += count * block;
    buffer += count * block;
    bytes -= count * block;
  }
}

void upcr_io_memory_gather(struct upcr_io_memory *m, char *buffer, size_t bytes) {
  copy_all(m, buffer, bytes, 0);
}

void upcr_io_memory_scatter(struct upcr_io_memory *m, char *buffer, size_t bytes) {
  copy_all(m, buffer, bytes, 1);
}

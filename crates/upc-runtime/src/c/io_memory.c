/* Where in memory the data of an input or output operation is: a sequence of pieces of private memory, or of shared
 * memory in blocks that go round the threads. */
#include <string.h>

#include "io.h"

static size_t entry_bytes(const struct upcr_io_memory *m, size_t index) {
  return m->local != NULL ? m->local[index].len : m->shared[index].bytes;
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
  if (entry->block == 0) return;
  /* The phase of a pointer that is given to a function of this library does not count: a block begins at it. */
  unsigned long thread = (unsigned long)upcr_thread_of(entry->base.addr), threads = (unsigned long)upcr_threads;
  unsigned long block = thread + m->offset / entry->block, within = m->offset % entry->block;
  m->at = entry->base.addr + ((block % threads - thread) << UPCR_SHIFT) + block / threads * entry->block + within;
  if (m->bytes > entry->block - within) m->bytes = entry->block - within;
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
  size_t block = m->shared != NULL && m->index < m->entries ? m->shared[m->index].block : 0;
  size_t after = m->offset + bytes;
  if (block == 0 || bytes > m->bytes || after >= m->shared[m->index].bytes) {
    m->offset = after;
    locate(m);
    return;
  }
  /* To the next block, without a division: there may be one for every few bytes. */
  m->offset = after;
  m->at += m->bytes;
  if (upcr_thread_of(m->at - 1) + 1 < upcr_threads)
    m->at += (1ul << UPCR_SHIFT) - block;
  else
    m->at -= (unsigned long)(upcr_threads - 1) << UPCR_SHIFT;
  size_t rest = m->shared[m->index].bytes - after;
  m->bytes = rest < block ? rest : block;
}

/* Inline copies for the usual sizes of elements. */
static inline void copy(char *to, const char *from, size_t bytes) {
  switch (bytes) {
  case 4: memcpy(to, from, 4); break;
  case 8: memcpy(to, from, 8); break;
  case 16: memcpy(to, from, 16); break;
  default: memcpy(to, from, bytes);
  }
}

void upcr_io_memory_gather(struct upcr_io_memory *m, char *buffer, size_t bytes) {
  while (bytes != 0) {
    size_t n = bytes < m->bytes ? bytes : m->bytes;
    copy(buffer, upcr_local(m->at), n);
    upcr_io_memory_advance(m, n);
    buffer += n;
    bytes -= n;
  }
}

void upcr_io_memory_scatter(struct upcr_io_memory *m, const char *buffer, size_t bytes) {
  while (bytes != 0) {
    size_t n = bytes < m->bytes ? bytes : m->bytes;
    copy(upcr_local(m->at), buffer, n);
    upcr_io_memory_advance(m, n);
    buffer += n;
    bytes -= n;
  }
}

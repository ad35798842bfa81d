/* OpenSHMEM: allocation of symmetric memory, which all PEs do together, and where symmetric memory
 * is.
 *
 * The library does not say where its heap begins, but the first block that a program gets is at the
 * same place in the heaps of all PEs. Nothing is allocated here, so that the program finds the heap
 * as it would without the tool. */
#define _GNU_SOURCE
#include <link.h>

#include "shmem_memory.h"
#include "shmem_wrapper.h"

/* ---- Places ---- */

/* Of the objects in memory the program is the first. */
static int find_image(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t first = object->dlpi_addr + part->p_vaddr;
    if (first < begin) begin = first;
    if (first + part->p_memsz > end) end = first + part->p_memsz;
  }
  if (begin < end) {
    /* A byte before, since the address 0 is none. */
    pgas_shmem.image = begin - 1;
    pgas_shmem.image_bytes = end - begin + 1;
  }
  return 1;
}

void pgas_shmem_find_image(void) { dl_iterate_phdr(find_image, NULL); }

static void note_block(const void *block) {
  if (!pgas_shmem.heap && block) pgas_shmem.heap = (uintptr_t)block & ~(uintptr_t)4095;
}

/* ---- Allocations ---- */

#define ALLOCATION(name, parameters, arguments, bytes)                                   \
  IF_HAVE(name)(WRAPPER(void *, name, parameters) {                                      \
    const pgas_call call = THIS_CALL(PGAS_ALL_ALLOC, name);                              \
    pgas_recorder *recorder = begin_call();                                              \
    if (LIKELY(recorder))                                                                \
      pgas_enter_call_allocation(recorder, &call, (uint64_t)(bytes) * pgas_shmem.n_pes); \
    void *block = CALL(name) arguments;                                                  \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                               \
    end_call(recorder);                                                                  \
    note_block(block);                                                                   \
    return block;                                                                        \
  })

#define RELEASE(name)                                       \
  IF_HAVE(name)(WRAPPER(void, name, (void *block)) {        \
    const pgas_call call = THIS_CALL(PGAS_ALL_FREE, name);  \
    pgas_recorder *recorder = begin_call();                 \
    if (LIKELY(recorder)) pgas_enter_call(recorder, &call); \
    CALL(name)(block);                                      \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);  \
    end_call(recorder);                                     \
  })

ALLOCATION(shmem_malloc, (size_t bytes), (bytes), bytes)
ALLOCATION(shmem_malloc_with_hints, (size_t bytes, long hints), (bytes, hints), bytes)
ALLOCATION(shmem_calloc, (size_t count, size_t bytes), (count, bytes), count *bytes)
ALLOCATION(shmem_align, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATION(shmem_realloc, (void *old, size_t bytes), (old, bytes), bytes)
RELEASE(shmem_free)

/* Names of SHMEM before OpenSHMEM. */
ALLOCATION(shmalloc, (size_t bytes), (bytes), bytes)
ALLOCATION(shmemalign, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATION(shrealloc, (void *old, size_t bytes), (old, bytes), bytes)
RELEASE(shfree)

/* Memory that the processes of a node share: files without a name, made by the first process of the
 * node, which the others open by way of it. They have no name that could be left behind, and no
 * limit of a file system applies. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "start.h"

unsigned long upcr_near_base_set __asm__("upcr_near_base");
unsigned long upcr_near_bytes_set __asm__("upcr_near_bytes");

/* The control block is below the segments, at the same address in all processes of a node. */
#define CONTROL (UPCR_BASE - (1ul << UPCR_SHIFT))

static int memory = -1;

int upcr_make_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

/* The file that the first process of the node has made. */
static int open_file(const struct upcr_introduction *first, int file) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", first->process, file);
  return open(path, O_RDWR | O_CLOEXEC);
}

/* Returns an errno. */
static int map_file(int file, unsigned long offset, void *want, unsigned long bytes) {
  void *at = mmap(want, bytes, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, (off_t)offset);
  if (at == want) return 0;
  int error = at == MAP_FAILED ? errno : EEXIST;
  if (at != MAP_FAILED) munmap(at, bytes);
  return error;
}

int upcr_map_control(const struct upcr_introduction *first) {
  unsigned long bytes =
      sizeof(struct upcr_control) + (size_t)upcr_threads * sizeof(struct upcr_thread);
  int control = open_file(first, first->control);
  memory = open_file(first, first->memory);
  int error = control < 0 || memory < 0 || ftruncate(control, (off_t)bytes) != 0 ? errno : 0;
  if (error == 0) error = map_file(control, 0, (void *)CONTROL, bytes);
  if (control >= 0) close(control);
  if (error == 0) upcr_control = (struct upcr_control *)CONTROL;
  return error;
}

/* The most that any thread has; so all do the same. */
static int worst(int own) {
  int *all = calloc((size_t)upcr_threads, sizeof *all), error = own;
  if (all == NULL) return ENOMEM;
  upcr_transport_gather_all(&own, all, sizeof own);
  for (int t = 0; t < upcr_threads; t++)
    if (all[t] > error) error = all[t];
  free(all);
  return error;
}

int upcr_map_segments(unsigned long bytes) {
  int error = 0, first = upcr_world.node_first, t = first;
  for (; t < upcr_near_end() && error == 0; t++) {
    unsigned long offset = (unsigned long)(t - first) * bytes;
    if (ftruncate(memory, (off_t)((unsigned long)upcr_world.node_threads * bytes)) != 0)
      error = errno;
    if (error == 0) error = map_file(memory, offset, (void *)upcr_segment(t), bytes);
  }
  int others = worst(error);
  if (others != 0) {
    /* All but the last one were mapped. */
    if (error != 0) t--;
    while (t-- > first) munmap((void *)upcr_segment(t), bytes);
    return others;
  }
  upcr_near_base_set = upcr_segment(first);
  upcr_near_bytes_set = (unsigned long)upcr_world.node_threads << UPCR_SHIFT;
  return 0;
}

void upcr_close_memory(void) { close(memory); }

/* The header of the OpenSHMEM library at hand, and the part of OpenSHMEM 1.5 that signals.c adds. */
#ifndef SHMEM_1_5_H
#define SHMEM_1_5_H

#include_next <shmem.h>
#include <stdint.h>

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

void shmem_putmem_signal(void *dest, const void *source, size_t bytes, uint64_t *signal, uint64_t value, int operation,
                         int pe);
uint64_t shmem_signal_wait_until(uint64_t *signal, int comparison, uint64_t value);

#endif

/*
 * Transfers that set a signal, and waits for signals, made of what OpenSHMEM 1.4 has. As in other libraries each function
 * has a second name, which tools call; and it calls others by theirs, so that a tool does not see these calls.
 */
#include <shmem.h>

void pshmem_putmem(void *dest, const void *source, size_t bytes, int pe);
void pshmem_fence(void);
void pshmem_ulonglong_atomic_set(unsigned long long *dest, unsigned long long value, int pe);
void pshmem_ulonglong_atomic_add(unsigned long long *dest, unsigned long long value, int pe);
void pshmem_uint64_wait_until(volatile uint64_t *word, int comparison, uint64_t value);

#define NAMED_TWICE(name) extern __typeof__(name) p##name __attribute__((alias(#name)))

__attribute__((weak)) void shmem_putmem_signal(void *dest, const void *source, size_t bytes, uint64_t *signal,
                                               uint64_t value, int operation, int pe)
{
    pshmem_putmem(dest, source, bytes, pe);
    pshmem_fence();
    if (operation == SHMEM_SIGNAL_SET)
        pshmem_ulonglong_atomic_set((unsigned long long *)signal, value, pe);
    else
        pshmem_ulonglong_atomic_add((unsigned long long *)signal, value, pe);
}
NAMED_TWICE(shmem_putmem_signal);

__attribute__((weak)) uint64_t shmem_signal_wait_until(uint64_t *signal, int comparison, uint64_t value)
{
    pshmem_uint64_wait_until(signal, comparison, value);
    return *(volatile uint64_t *)signal;
}
NAMED_TWICE(shmem_signal_wait_until);

/* What OpenSHMEM programs with signals share, besides what all share. */
#include "../../truth.h"

static uint64_t *signal_word;

#define ALLOCATE_SIGNALS                            \
    do {                                            \
        ALLOCATE(signal_word, sizeof *signal_word); \
        *signal_word = 0;                           \
        BARRIER;                                    \
    } while (0)

#define SEND(pe, value, operation)                                                                       \
    STAMPED_WRITE(pe, shmem_putmem_signal(data->other_block, data->block, sizeof data->block, signal_word, \
                                          value, operation, pe))
#define PUT_SIGNAL(pe, value) SEND(pe, value, SHMEM_SIGNAL_SET)
#define ADD_SIGNAL(pe) SEND(pe, 1, SHMEM_SIGNAL_ADD)

#define AWAIT_SIGNAL(value) AWAIT(1, shmem_signal_wait_until(signal_word, SHMEM_CMP_GE, value))

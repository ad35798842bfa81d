/* OpenSHMEM: puts that set a signal when their data has arrived, and updates of signals.
 *
 * The data is a put; the signal is an atomic operation inside of it, since a PE may wait for the
 * one or the other. */
#include "shmem_types.h"
#include "shmem_wrapper.h"

#define PUT_SIGNAL(name, region, parameters, arguments, pe, bytes)                        \
  IF_HAVE(name)(WRAPPER(void, name, parameters) {                                         \
    const pgas_call call = THIS_CALL(region, name);                                       \
    const pgas_call update = {PGAS_ATOMIC, #name ": signal", call.caller};                \
    pgas_recorder *recorder = begin_call();                                               \
    if (LIKELY(recorder)) {                                                               \
      int partner = pe;                                                                   \
      pgas_enter_call_transfer(recorder, &call, partner, symmetric_address(dest), bytes); \
      pgas_enter_call_transfer(recorder, &update, partner, symmetric_address(signal),     \
                               sizeof *signal);                                           \
    }                                                                                     \
    CALL(name) arguments;                                                                 \
    if (LIKELY(recorder)) {                                                               \
      pgas_exit_call(recorder, &update);                                                  \
      pgas_exit_call(recorder, &call);                                                    \
    }                                                                                     \
    end_call(recorder);                                                                   \
  })

#define BOTH_PUT_SIGNALS(name, context_name, region, TYPE, size)                                   \
  PUT_SIGNAL(name, region,                                                                         \
             (TYPE * dest, const TYPE *source, size_t elements, uint64_t *signal, uint64_t value,  \
              int operation, int pe),                                                              \
             (dest, source, elements, signal, value, operation, pe), pe, elements *size)           \
  PUT_SIGNAL(context_name, region,                                                                 \
             (shmem_ctx_t ctx, TYPE * dest, const TYPE *source, size_t elements, uint64_t *signal, \
              uint64_t value, int operation, int pe),                                              \
             (ctx, dest, source, elements, signal, value, operation, pe), world_pe(ctx, pe),       \
             elements *size)

#define PUT_SIGNALS(name, context_name, TYPE, size)             \
  BOTH_PUT_SIGNALS(name, context_name, PGAS_MEMPUT, TYPE, size) \
  BOTH_PUT_SIGNALS(name##_nbi, context_name##_nbi, PGAS_NONBLOCKING_PUT, TYPE, size)

#define TYPED_PUT_SIGNALS(NAME, TYPE) \
  PUT_SIGNALS(shmem_##NAME##_put_signal, shmem_ctx_##NAME##_put_signal, TYPE, sizeof(TYPE))
#define SIZED_PUT_SIGNALS(BITS, size) \
  PUT_SIGNALS(shmem_put##BITS##_signal, shmem_ctx_put##BITS##_signal, void, size)

FOR_TYPES(TYPED_PUT_SIGNALS)
FOR_SIZES(SIZED_PUT_SIGNALS)
SIZED_PUT_SIGNALS(mem, 1)

/* ---- Signals without data (after 1.5) ---- */

#define UPDATE(name, parameters, arguments, pe)                                                 \
  IF_HAVE(name)(WRAPPER(void, name, parameters) {                                               \
    const pgas_call call = THIS_CALL(PGAS_ATOMIC, name);                                        \
    pgas_recorder *recorder = begin_call();                                                     \
    if (LIKELY(recorder))                                                                       \
      pgas_enter_call_transfer(recorder, &call, pe, symmetric_address(signal), sizeof *signal); \
    CALL(name) arguments;                                                                       \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                                      \
    end_call(recorder);                                                                         \
  })

UPDATE(shmem_signal_set, (uint64_t *signal, uint64_t value, int pe), (signal, value, pe), pe)
UPDATE(shmem_signal_add, (uint64_t *signal, uint64_t value, int pe), (signal, value, pe), pe)
UPDATE(shmem_ctx_signal_set, (shmem_ctx_t ctx, uint64_t *signal, uint64_t value, int pe),
       (ctx, signal, value, pe), world_pe(ctx, pe))
UPDATE(shmem_ctx_signal_add, (shmem_ctx_t ctx, uint64_t *signal, uint64_t value, int pe),
       (ctx, signal, value, pe), world_pe(ctx, pe))

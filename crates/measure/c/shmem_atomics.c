/* OpenSHMEM: atomic operations, with their names since 1.4 and before.
 *
 * A fetch is a get: it changes nothing, so nobody's waiting can end with it. */
#include "shmem_types.h"
#include "shmem_wrapper.h"

#define BEGIN(region, name, word, pe)             \
  const pgas_call call = THIS_CALL(region, name); \
  pgas_recorder *recorder = begin_call();         \
  if (LIKELY(recorder))                           \
    pgas_enter_call_transfer(recorder, &call, pe, symmetric_address(word), sizeof *word);
#define END                                              \
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call); \
  end_call(recorder);

#define RESULT(name, region, TYPE, parameters, arguments, word, pe) \
  IF_HAVE(name)(WRAPPER(TYPE, name, parameters) {                   \
    BEGIN(region, name, word, pe)                                   \
    TYPE value_before = CALL(name) arguments;                       \
    END return value_before;                                        \
  })
#define NO_RESULT(name, region, parameters, arguments, word, pe) \
  IF_HAVE(name)(WRAPPER(void, name, parameters) {                \
    BEGIN(region, name, word, pe)                                \
    CALL(name) arguments;                                        \
    END                                                          \
  })
#define UPDATE(name, parameters, arguments, pe) \
  NO_RESULT(name, PGAS_ATOMIC, parameters, arguments, dest, pe)

/* ---- By parameters, without a context ---- */

#define SET(name, TYPE) UPDATE(name, (TYPE * dest, TYPE value, int pe), (dest, value, pe), pe)
#define INCREMENT(name, TYPE) UPDATE(name, (TYPE * dest, int pe), (dest, pe), pe)
#define READ(name, TYPE) \
  RESULT(name, PGAS_GET, TYPE, (const TYPE *source, int pe), (source, pe), source, pe)
#define FETCH_SET(name, TYPE) \
  RESULT(name, PGAS_ATOMIC, TYPE, (TYPE * dest, TYPE value, int pe), (dest, value, pe), dest, pe)
#define FETCH_INCREMENT(name, TYPE) \
  RESULT(name, PGAS_ATOMIC, TYPE, (TYPE * dest, int pe), (dest, pe), dest, pe)
#define COMPARE(name, TYPE)                                                          \
  RESULT(name, PGAS_ATOMIC, TYPE, (TYPE * dest, TYPE condition, TYPE value, int pe), \
         (dest, condition, value, pe), dest, pe)

/* ---- In a context ---- */

#define CONTEXT_SET(name, TYPE)                                                            \
  UPDATE(name, (shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe), (ctx, dest, value, pe), \
         world_pe(ctx, pe))
#define CONTEXT_INCREMENT(name, TYPE) \
  UPDATE(name, (shmem_ctx_t ctx, TYPE * dest, int pe), (ctx, dest, pe), world_pe(ctx, pe))
#define CONTEXT_READ(name, TYPE)                                                                 \
  RESULT(name, PGAS_GET, TYPE, (shmem_ctx_t ctx, const TYPE *source, int pe), (ctx, source, pe), \
         source, world_pe(ctx, pe))
#define CONTEXT_FETCH_SET(name, TYPE)                                                 \
  RESULT(name, PGAS_ATOMIC, TYPE, (shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe), \
         (ctx, dest, value, pe), dest, world_pe(ctx, pe))
#define CONTEXT_FETCH_INCREMENT(name, TYPE)                                                      \
  RESULT(name, PGAS_ATOMIC, TYPE, (shmem_ctx_t ctx, TYPE * dest, int pe), (ctx, dest, pe), dest, \
         world_pe(ctx, pe))
#define CONTEXT_COMPARE(name, TYPE)                                          \
  RESULT(name, PGAS_ATOMIC, TYPE,                                            \
         (shmem_ctx_t ctx, TYPE * dest, TYPE condition, TYPE value, int pe), \
         (ctx, dest, condition, value, pe), dest, world_pe(ctx, pe))

#define BOTH(KIND, NAME, operation, TYPE)       \
  KIND(shmem_##NAME##_atomic_##operation, TYPE) \
  CONTEXT_##KIND(shmem_ctx_##NAME##_atomic_##operation, TYPE)

#define ATOMICS(NAME, TYPE)                    \
  BOTH(READ, NAME, fetch, TYPE)                \
  BOTH(SET, NAME, set, TYPE)                   \
  BOTH(SET, NAME, add, TYPE)                   \
  BOTH(SET, NAME, and, TYPE)                   \
  BOTH(SET, NAME, or, TYPE)                    \
  BOTH(SET, NAME, xor, TYPE)                   \
  BOTH(INCREMENT, NAME, inc, TYPE)             \
  BOTH(FETCH_SET, NAME, swap, TYPE)            \
  BOTH(FETCH_SET, NAME, fetch_add, TYPE)       \
  BOTH(FETCH_SET, NAME, fetch_and, TYPE)       \
  BOTH(FETCH_SET, NAME, fetch_or, TYPE)        \
  BOTH(FETCH_SET, NAME, fetch_xor, TYPE)       \
  BOTH(FETCH_INCREMENT, NAME, fetch_inc, TYPE) \
  BOTH(COMPARE, NAME, compare_swap, TYPE)

FOR_TYPES(ATOMICS)

/* ---- Names before 1.4 ---- */

#define OLD_ATOMICS(NAME, TYPE)              \
  READ(shmem_##NAME##_fetch, TYPE)           \
  SET(shmem_##NAME##_set, TYPE)              \
  SET(shmem_##NAME##_add, TYPE)              \
  INCREMENT(shmem_##NAME##_inc, TYPE)        \
  FETCH_SET(shmem_##NAME##_swap, TYPE)       \
  FETCH_SET(shmem_##NAME##_fadd, TYPE)       \
  FETCH_INCREMENT(shmem_##NAME##_finc, TYPE) \
  COMPARE(shmem_##NAME##_cswap, TYPE)

FOR_TYPES(OLD_ATOMICS)

/* ---- Non-blocking (1.5) ---- */

#define NONBLOCKING_READ(name, context_name, TYPE)                                                 \
  NO_RESULT(name, PGAS_NONBLOCKING_GET, (TYPE * fetch, const TYPE *source, int pe),                \
            (fetch, source, pe), source, pe)                                                       \
  NO_RESULT(context_name, PGAS_NONBLOCKING_GET,                                                    \
            (shmem_ctx_t ctx, TYPE * fetch, const TYPE *source, int pe), (ctx, fetch, source, pe), \
            source, world_pe(ctx, pe))
#define NONBLOCKING_SET(name, context_name, TYPE)                               \
  NO_RESULT(name, PGAS_ATOMIC, (TYPE * fetch, TYPE * dest, TYPE value, int pe), \
            (fetch, dest, value, pe), dest, pe)                                 \
  NO_RESULT(context_name, PGAS_ATOMIC,                                          \
            (shmem_ctx_t ctx, TYPE * fetch, TYPE * dest, TYPE value, int pe),   \
            (ctx, fetch, dest, value, pe), dest, world_pe(ctx, pe))
#define NONBLOCKING_INCREMENT(name, context_name, TYPE)                                          \
  NO_RESULT(name, PGAS_ATOMIC, (TYPE * fetch, TYPE * dest, int pe), (fetch, dest, pe), dest, pe) \
  NO_RESULT(context_name, PGAS_ATOMIC, (shmem_ctx_t ctx, TYPE * fetch, TYPE * dest, int pe),     \
            (ctx, fetch, dest, pe), dest, world_pe(ctx, pe))
#define NONBLOCKING_COMPARE(name, context_name, TYPE)                                           \
  NO_RESULT(name, PGAS_ATOMIC, (TYPE * fetch, TYPE * dest, TYPE condition, TYPE value, int pe), \
            (fetch, dest, condition, value, pe), dest, pe)                                      \
  NO_RESULT(context_name, PGAS_ATOMIC,                                                          \
            (shmem_ctx_t ctx, TYPE * fetch, TYPE * dest, TYPE condition, TYPE value, int pe),   \
            (ctx, fetch, dest, condition, value, pe), dest, world_pe(ctx, pe))

#define BOTH_NONBLOCKING(KIND, NAME, operation, TYPE)         \
  NONBLOCKING_##KIND(shmem_##NAME##_atomic_##operation##_nbi, \
                     shmem_ctx_##NAME##_atomic_##operation##_nbi, TYPE)

#define NONBLOCKING_ATOMICS(NAME, TYPE)              \
  BOTH_NONBLOCKING(READ, NAME, fetch, TYPE)          \
  BOTH_NONBLOCKING(SET, NAME, swap, TYPE)            \
  BOTH_NONBLOCKING(SET, NAME, fetch_add, TYPE)       \
  BOTH_NONBLOCKING(SET, NAME, fetch_and, TYPE)       \
  BOTH_NONBLOCKING(SET, NAME, fetch_or, TYPE)        \
  BOTH_NONBLOCKING(SET, NAME, fetch_xor, TYPE)       \
  BOTH_NONBLOCKING(INCREMENT, NAME, fetch_inc, TYPE) \
  BOTH_NONBLOCKING(COMPARE, NAME, compare_swap, TYPE)

FOR_TYPES(NONBLOCKING_ATOMICS)

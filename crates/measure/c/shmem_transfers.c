/* OpenSHMEM: put and get, of single elements and blocks, with and without stride, blocking or not,
 * in contexts or not. */
#include "shmem_types.h"
#include "shmem_wrapper.h"

/* `shared` is the pointer to symmetric memory, whose owner is `pe`; strided ones report the bytes
 * that are moved from its beginning on. */
#define TRANSFER(name, region, parameters, arguments, shared, pe, bytes)               \
  IF_HAVE(name)(WRAPPER(void, name, parameters) {                                      \
    const pgas_call call = THIS_CALL(region, name);                                    \
    pgas_recorder *recorder = begin_call();                                            \
    if (LIKELY(recorder))                                                              \
      pgas_enter_call_transfer(recorder, &call, pe, symmetric_address(shared), bytes); \
    CALL(name) arguments;                                                              \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                             \
    end_call(recorder);                                                                \
  })

#define FETCH(name, TYPE, parameters, arguments, pe)                                          \
  IF_HAVE(name)(WRAPPER(TYPE, name, parameters) {                                             \
    const pgas_call call = THIS_CALL(PGAS_GET, name);                                         \
    pgas_recorder *recorder = begin_call();                                                   \
    if (LIKELY(recorder))                                                                     \
      pgas_enter_call_transfer(recorder, &call, pe, symmetric_address(source), sizeof(TYPE)); \
    TYPE value = CALL(name) arguments;                                                        \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                                    \
    end_call(recorder);                                                                       \
    return value;                                                                             \
  })

/* ---- Single elements ---- */

#define SINGLE(NAME, TYPE)                                                                         \
  TRANSFER(shmem_##NAME##_p, PGAS_PUT, (TYPE * dest, TYPE value, int pe), (dest, value, pe), dest, \
           pe, sizeof(TYPE))                                                                       \
  TRANSFER(shmem_ctx_##NAME##_p, PGAS_PUT, (shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe),     \
           (ctx, dest, value, pe), dest, world_pe(ctx, pe), sizeof(TYPE))                          \
  FETCH(shmem_##NAME##_g, TYPE, (const TYPE *source, int pe), (source, pe), pe)                    \
  FETCH(shmem_ctx_##NAME##_g, TYPE, (shmem_ctx_t ctx, const TYPE *source, int pe),                 \
        (ctx, source, pe), world_pe(ctx, pe))

FOR_TYPES(SINGLE)

/* ---- Blocks ---- */

/* `shared` is one of the parameters dest and source. */
#define BLOCK(name, context_name, region, TYPE, size, shared)                           \
  TRANSFER(name, region, (TYPE * dest, const TYPE *source, size_t elements, int pe),    \
           (dest, source, elements, pe), shared, pe, elements *size)                    \
  TRANSFER(context_name, region,                                                        \
           (shmem_ctx_t ctx, TYPE * dest, const TYPE *source, size_t elements, int pe), \
           (ctx, dest, source, elements, pe), shared, world_pe(ctx, pe), elements *size)

#define BLOCKS(put, get, context_put, context_get, TYPE, size)                \
  BLOCK(put, context_put, PGAS_MEMPUT, TYPE, size, dest)                      \
  BLOCK(get, context_get, PGAS_MEMGET, TYPE, size, source)                    \
  BLOCK(put##_nbi, context_put##_nbi, PGAS_NONBLOCKING_PUT, TYPE, size, dest) \
  BLOCK(get##_nbi, context_get##_nbi, PGAS_NONBLOCKING_GET, TYPE, size, source)

#define TYPED_BLOCKS(NAME, TYPE)                                                                 \
  BLOCKS(shmem_##NAME##_put, shmem_##NAME##_get, shmem_ctx_##NAME##_put, shmem_ctx_##NAME##_get, \
         TYPE, sizeof(TYPE))
#define SIZED_BLOCKS(BITS, size) \
  BLOCKS(shmem_put##BITS, shmem_get##BITS, shmem_ctx_put##BITS, shmem_ctx_get##BITS, void, size)

FOR_TYPES(TYPED_BLOCKS)
FOR_SIZES(SIZED_BLOCKS)
SIZED_BLOCKS(mem, 1)

/* ---- Strided ---- */

#define STRIDED(name, context_name, region, TYPE, size, shared)                                  \
  TRANSFER(name, region,                                                                         \
           (TYPE * dest, const TYPE *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,     \
            size_t elements, int pe),                                                            \
           (dest, source, dest_stride, source_stride, elements, pe), shared, pe, elements *size) \
  TRANSFER(context_name, region,                                                                 \
           (shmem_ctx_t ctx, TYPE * dest, const TYPE *source, ptrdiff_t dest_stride,             \
            ptrdiff_t source_stride, size_t elements, int pe),                                   \
           (ctx, dest, source, dest_stride, source_stride, elements, pe), shared,                \
           world_pe(ctx, pe), elements *size)

#define TYPED_STRIDED(NAME, TYPE)                                                              \
  STRIDED(shmem_##NAME##_iput, shmem_ctx_##NAME##_iput, PGAS_MEMPUT, TYPE, sizeof(TYPE), dest) \
  STRIDED(shmem_##NAME##_iget, shmem_ctx_##NAME##_iget, PGAS_MEMGET, TYPE, sizeof(TYPE), source)
#define SIZED_STRIDED(BITS, size)                                                \
  STRIDED(shmem_iput##BITS, shmem_ctx_iput##BITS, PGAS_MEMPUT, void, size, dest) \
  STRIDED(shmem_iget##BITS, shmem_ctx_iget##BITS, PGAS_MEMGET, void, size, source)

FOR_TYPES(TYPED_STRIDED)
FOR_SIZES(SIZED_STRIDED)

/* OpenSHMEM: fences, quiet, and the contexts that these are for. */
#include "shmem_wrapper.h"

#define ORDER(name, region, parameters, arguments)          \
  IF_HAVE(name)(WRAPPER(void, name, parameters) {           \
    const pgas_call call = THIS_CALL(region, name);         \
    pgas_recorder *recorder = begin_call();                 \
    if (LIKELY(recorder)) pgas_enter_call(recorder, &call); \
    CALL(name) arguments;                                   \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);  \
    end_call(recorder);                                     \
  })

ORDER(shmem_fence, PGAS_FENCE, (void), ())
ORDER(shmem_quiet, PGAS_NONBLOCKING_SYNC, (void), ())
ORDER(shmem_ctx_fence, PGAS_FENCE, (shmem_ctx_t ctx), (ctx))
ORDER(shmem_ctx_quiet, PGAS_NONBLOCKING_SYNC, (shmem_ctx_t ctx), (ctx))
ORDER(shmem_ctx_destroy, PGAS_LIBRARY_CALL, (shmem_ctx_t ctx), (ctx))

#ifdef HAVE_shmem_ctx_create
WRAPPER(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx)) {
  const pgas_call call = THIS_CALL(PGAS_LIBRARY_CALL, shmem_ctx_create);
  pgas_recorder *recorder = begin_call();
  if (LIKELY(recorder)) pgas_enter_call(recorder, &call);
  int result = CALL(shmem_ctx_create)(options, ctx);
  if (LIKELY(recorder)) pgas_exit_call(recorder, &call);
  end_call(recorder);
  return result;
}
#endif

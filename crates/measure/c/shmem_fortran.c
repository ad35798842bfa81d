/* OpenSHMEM's interface of Fortran, which went with version 1.5 but is in libraries still: the same
 * functions with an underscore behind their names, which take all arguments by reference. A library
 * may have them call its own functions, which then are not the program's.
 *
 * shmem_have.h has the names of those that the linker finds, with their underscore. */
#define SUFFIX "_"
#include "shmem_group.h"

/* With PGAS_LIST_NAMES the preprocessor lists all names that are known here, each after a word. */
#ifdef PGAS_LIST_NAMES
#define HAVE_FORTRAN(name) pgas_known name##_ DROP
#else
#define HAVE_FORTRAN(name) IF_HAVE(name##_)
#endif

/* An INTEGER of the default kind. */
typedef const int *number;
/* Data that is moved, or a word, whatever its type. */
typedef void *data;

/* ---- Begin and end of the program ---- */

HAVE_FORTRAN(shmem_init)(WRAPPER(void, shmem_init, (void)) {
  CALL(shmem_init)();
  pgas_shmem_begin();
}) HAVE_FORTRAN(start_pes)(WRAPPER(void, start_pes, (number pes)) {
  CALL(start_pes)(pes);
  pgas_shmem_begin();
}) HAVE_FORTRAN(shmem_finalize)(WRAPPER(void, shmem_finalize, (void)) {
  pgas_shmem_finalize(__builtin_return_address(0));
  CALL(shmem_finalize)();
}) HAVE_FORTRAN(shmem_global_exit)(WRAPPER(void, shmem_global_exit, (number status)) {
  pgas_shmem_global_exit(__builtin_return_address(0), *status);
  CALL(shmem_global_exit)(status);
})

/* ---- Put and get ---- */

#define MOVE(name, region, parameters, arguments, shared, pe, bytes)                      \
  HAVE_FORTRAN(name)(WRAPPER(void, name, parameters) {                                    \
    const pgas_call call = THIS_CALL(region, name);                                       \
    pgas_recorder *recorder = begin_call();                                               \
    if (LIKELY(recorder))                                                                 \
      pgas_enter_call_transfer(recorder, &call, *pe, symmetric_address(shared), (bytes)); \
    CALL(name) arguments;                                                                 \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                                \
    end_call(recorder);                                                                   \
  })

#define BLOCK(name, region, size, shared)                                  \
  MOVE(name, region, (data dest, data source, number elements, number pe), \
       (dest, source, elements, pe), shared, pe, (uint64_t)*elements *size)
#define STRIDED(name, region, size, shared)                                                \
  MOVE(name, region,                                                                       \
       (data dest, data source, number dest_stride, number source_stride, number elements, \
        number pe),                                                                        \
       (dest, source, dest_stride, source_stride, elements, pe), shared, pe,               \
       (uint64_t)*elements *size)

#define BLOCKS(put, get, size)                               \
  BLOCK(shmem_##put, PGAS_MEMPUT, size, dest)                \
  BLOCK(shmem_##get, PGAS_MEMGET, size, source)              \
  BLOCK(shmem_##put##_nbi, PGAS_NONBLOCKING_PUT, size, dest) \
  BLOCK(shmem_##get##_nbi, PGAS_NONBLOCKING_GET, size, source)
#define BLOCKS_AND_STRIDED(put, get, iput, iget, size) \
  BLOCKS(put, get, size)                               \
  STRIDED(shmem_##iput, PGAS_MEMPUT, size, dest)       \
  STRIDED(shmem_##iget, PGAS_MEMGET, size, source)
#define OF_TYPE(type, size) \
  BLOCKS_AND_STRIDED(type##_put, type##_get, type##_iput, type##_iget, size)
#define OF_SIZE(suffix, size) \
  BLOCKS_AND_STRIDED(put##suffix, get##suffix, iput##suffix, iget##suffix, size)

    OF_TYPE(complex, 8) OF_TYPE(double, 8) OF_TYPE(integer, 4) OF_TYPE(logical, 4) OF_TYPE(real, 4)
        OF_SIZE(4, 4) OF_SIZE(8, 8) OF_SIZE(32, 4) OF_SIZE(64, 8) OF_SIZE(128, 16)
            BLOCKS(character_put, character_get, 1) BLOCKS(putmem, getmem, 1)

/* ---- Atomic operations ---- */

#define ATOMIC(name, region, TYPE, parameters, arguments, size)                      \
  HAVE_FORTRAN(name)(WRAPPER(TYPE, name, parameters) {                               \
    const pgas_call call = THIS_CALL(region, name);                                  \
    pgas_recorder *recorder = begin_call();                                          \
    if (LIKELY(recorder))                                                            \
      pgas_enter_call_transfer(recorder, &call, *pe, symmetric_address(word), size); \
    TYPE before = CALL(name) arguments;                                              \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                           \
    end_call(recorder);                                                              \
    return before;                                                                   \
  })
#define ATOMIC_FETCHES(NAME, TYPE)                                                               \
  ATOMIC(shmem_##NAME##_swap, PGAS_ATOMIC, TYPE, (data word, data value, number pe),             \
         (word, value, pe), sizeof(TYPE))                                                        \
  ATOMIC(shmem_##NAME##_fetch, PGAS_GET, TYPE, (data word, number pe), (word, pe), sizeof(TYPE)) \
  MOVE(shmem_##NAME##_set, PGAS_ATOMIC, (data word, data value, number pe), (word, value, pe),   \
       word, pe, sizeof(TYPE))
#define ATOMIC_UPDATES(NAME, TYPE)                                                                 \
  ATOMIC(shmem_##NAME##_cswap, PGAS_ATOMIC, TYPE,                                                  \
         (data word, data condition, data value, number pe), (word, condition, value, pe),         \
         sizeof(TYPE))                                                                             \
  ATOMIC(shmem_##NAME##_fadd, PGAS_ATOMIC, TYPE, (data word, data value, number pe),               \
         (word, value, pe), sizeof(TYPE))                                                          \
  ATOMIC(shmem_##NAME##_finc, PGAS_ATOMIC, TYPE, (data word, number pe), (word, pe), sizeof(TYPE)) \
  MOVE(shmem_##NAME##_add, PGAS_ATOMIC, (data word, data value, number pe), (word, value, pe),     \
       word, pe, sizeof(TYPE))                                                                     \
  MOVE(shmem_##NAME##_inc, PGAS_ATOMIC, (data word, number pe), (word, pe), word, pe, sizeof(TYPE))

                ATOMIC_FETCHES(int4, int32_t) ATOMIC_FETCHES(int8, int64_t)
                    ATOMIC_FETCHES(real4, float) ATOMIC_FETCHES(real8, double)
                        ATOMIC_UPDATES(int4, int32_t) ATOMIC_UPDATES(int8, int64_t)

/* ---- Waiting, locks, order ---- */

/* `enter` says that the call begins. */
#define SIMPLE(name, region, parameters, arguments, enter) \
  HAVE_FORTRAN(name)(WRAPPER(void, name, parameters) {     \
    const pgas_call call = THIS_CALL(region, name);        \
    pgas_recorder *recorder = begin_call();                \
    if (LIKELY(recorder)) enter;                           \
    CALL(name) arguments;                                  \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call); \
    end_call(recorder);                                    \
  })
#define OF_WORD(bytes) \
  pgas_enter_call_transfer(recorder, &call, pgas_shmem.my_pe, symmetric_address(word), bytes)
#define WAITS(name, until, bytes)                                                      \
  SIMPLE(name, PGAS_FLAG_WAIT, (data word, data value), (word, value), OF_WORD(bytes)) \
  SIMPLE(until, PGAS_FLAG_WAIT, (data word, number comparison, data value),            \
         (word, comparison, value), OF_WORD(bytes))
                            WAITS(shmem_wait, shmem_wait_until, 4) WAITS(shmem_int4_wait,
                                                                         shmem_int4_wait_until, 4)
                                WAITS(shmem_int8_wait, shmem_int8_wait_until, 8)

#define OF_LOCK pgas_enter_call_lock(recorder, &call, symmetric_address(lock))
                                    SIMPLE(shmem_set_lock, PGAS_LOCK, (data lock), (lock), OF_LOCK)
                                        SIMPLE(shmem_clear_lock, PGAS_UNLOCK, (data lock), (lock),
                                               OF_LOCK)

    /* Returns 0 if the lock was free and is the caller's now. */
    HAVE_FORTRAN(shmem_test_lock)(WRAPPER(int, shmem_test_lock, (data lock)) {
      const pgas_call call = THIS_CALL(PGAS_LOCK_ATTEMPT, shmem_test_lock);
      pgas_recorder *recorder = begin_call();
      if (LIKELY(recorder)) OF_LOCK;
      int is_taken = CALL(shmem_test_lock)(lock);
      if (LIKELY(recorder)) pgas_exit_call_lock_attempt(recorder, &call, !is_taken);
      end_call(recorder);
      return is_taken;
    })

        SIMPLE(shmem_fence, PGAS_FENCE, (void), (), pgas_enter_call(recorder, &call))
            SIMPLE(shmem_quiet, PGAS_NONBLOCKING_SYNC, (void), (), pgas_enter_call(recorder, &call))

/* ---- Barriers and collective operations ---- */

#define COLLECTIVE(name, region, parameters, arguments, group, traffic) \
  HAVE_FORTRAN(name)(WRAPPER(void, name, parameters)                    \
                         GROUP_CALL(name, region, arguments, group, traffic, , ))
#define ACTIVE_SET number start, number log_stride, number size
#define THE_SET active_set(*start, *log_stride, *size)

                COLLECTIVE(shmem_barrier_all, PGAS_BARRIER, (void), (), all_pes(), no_traffic())
                    COLLECTIVE(shmem_barrier, PGAS_BARRIER, (ACTIVE_SET, data sync),
                               (start, log_stride, size, sync), THE_SET, no_traffic())

#define FROM_ALL(name, region, bytes)                                                        \
  COLLECTIVE(name, region, (data dest, data source, number elements, ACTIVE_SET, data sync), \
             (dest, source, elements, start, log_stride, size, sync), THE_SET,               \
             to_all(group, (uint64_t)*elements *bytes))
#define DATA(suffix, bytes)                                                                       \
  COLLECTIVE(shmem_broadcast##suffix, PGAS_BROADCAST,                                             \
             (data dest, data source, number elements, number root, ACTIVE_SET, data sync),       \
             (dest, source, elements, root, start, log_stride, size, sync), THE_SET,              \
             from_root(group, *start + (*root << *log_stride), (uint64_t)*elements * bytes))      \
  FROM_ALL(shmem_collect##suffix, PGAS_GATHER_ALL, bytes)                                         \
  FROM_ALL(shmem_fcollect##suffix, PGAS_GATHER_ALL, bytes)                                        \
  FROM_ALL(shmem_alltoall##suffix, PGAS_EXCHANGE, bytes)                                          \
  COLLECTIVE(shmem_alltoalls##suffix, PGAS_EXCHANGE,                                              \
             (data dest, data source, number dest_stride, number source_stride, number elements,  \
              ACTIVE_SET, data sync),                                                             \
             (dest, source, dest_stride, source_stride, elements, start, log_stride, size, sync), \
             THE_SET, to_all(group, (uint64_t)*elements *bytes))
                        DATA(4, 4) DATA(8, 8) DATA(32, 4) DATA(64, 8)

#define REDUCTION(type, operation, bytes)                                                 \
  COLLECTIVE(shmem_##type##_##operation##_to_all, PGAS_GATHER_ALL,                        \
             (data dest, data source, number elements, ACTIVE_SET, data work, data sync), \
             (dest, source, elements, start, log_stride, size, work, sync), THE_SET,      \
             to_all(group, (uint64_t)*elements *bytes))
#define ARITHMETIC(type, bytes) REDUCTION(type, sum, bytes) REDUCTION(type, prod, bytes)
#define ORDERED(type, bytes) \
  ARITHMETIC(type, bytes) REDUCTION(type, max, bytes) REDUCTION(type, min, bytes)
#define OF_INTEGERS(type, bytes) \
  ORDERED(type, bytes)           \
  REDUCTION(type, and, bytes) REDUCTION(type, or, bytes) REDUCTION(type, xor, bytes)
                            OF_INTEGERS(int2, 2) OF_INTEGERS(int4, 4) OF_INTEGERS(int8, 8)
                                ORDERED(real4, 4) ORDERED(real8, 8) ORDERED(real16, 16)
                                    ARITHMETIC(comp4, 8) ARITHMETIC(comp8, 16)

    /* ---- Allocations by all ---- */

    /* The length is in words of 32 bits. */
    SIMPLE(shpalloc, PGAS_ALL_ALLOC, (data block, number length, data error, data abort),
           (block, length, error, abort),
           pgas_enter_call_allocation(recorder, &call, (uint64_t)*length * 4 * pgas_shmem.n_pes))
        SIMPLE(shpdeallc, PGAS_ALL_FREE, (data block, data error, data abort),
               (block, error, abort), pgas_enter_call(recorder, &call))

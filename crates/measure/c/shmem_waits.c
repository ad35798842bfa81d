/* OpenSHMEM: waits for a word of symmetric memory that another PE changes, and tests of such words.
 *
 * A wait is a region, however short. A test is not: programs test in loops. Tests become one region
 * of waiting, as if it were a call of the kind that waits, by this rule:
 *
 *  - A first test at a place that fails is only remembered: its place in the program and its word.
 *  - If the next call of the library is a test at the same place for the same word, and the thread
 *    has used less than POLLING_GAP of CPU time in between, the region begins there. A thread that
 *    computes between tests does not wait, one that yields or sleeps does.
 *  - It ends with the test that succeeds, or before the next call of any other kind, place or word.
 *
 * So a test that succeeds at once is not recorded. shmem_signal_fetch counts as a test that
 * succeeds when it returns something else than the time before. */
#include <time.h>

#include "shmem_types.h"
#include "shmem_wrapper.h"

/* ---- Waits ---- */

#define WAIT(name, region, RESULT, parameters, arguments, words, bytes, KEEP_RESULT, RETURN) \
  IF_HAVE(name)(WRAPPER(RESULT, name, parameters) {                                          \
    const pgas_call call = THIS_CALL(region, name);                                          \
    pgas_recorder *recorder = begin_call();                                                  \
    if (LIKELY(recorder))                                                                    \
      pgas_enter_call_transfer(recorder, &call, pgas_shmem.my_pe, symmetric_address(words),  \
                               bytes);                                                       \
    KEEP_RESULT CALL(name) arguments;                                                        \
    if (LIKELY(recorder)) pgas_exit_call(recorder, &call);                                   \
    end_call(recorder);                                                                      \
    RETURN                                                                                   \
  })

#define WAIT_VOID(name, parameters, arguments, words, bytes) \
  WAIT(name, PGAS_FLAG_WAIT, void, parameters, arguments, words, bytes, , )
#define WAIT_RESULT(name, region, RESULT, parameters, arguments, words, bytes) \
  WAIT(name, region, RESULT, parameters, arguments, words, bytes, RESULT result =, return result;)

#define WAITS(NAME, TYPE)                                                                         \
  WAIT_VOID(shmem_##NAME##_wait, (volatile TYPE * word, TYPE value), (word, value), (void *)word, \
            sizeof(TYPE))                                                                         \
  WAIT_VOID(shmem_##NAME##_wait_until, (volatile TYPE * word, int comparison, TYPE value),        \
            (word, comparison, value), (void *)word, sizeof(TYPE))                                \
  WAIT_VOID(shmem_##NAME##_wait_until_all,                                                        \
            (TYPE * words, size_t count, const int *status, int comparison, TYPE value),          \
            (words, count, status, comparison, value), words, count * sizeof(TYPE))               \
  WAIT_RESULT(shmem_##NAME##_wait_until_any, PGAS_FLAG_WAIT, size_t,                              \
              (TYPE * words, size_t count, const int *status, int comparison, TYPE value),        \
              (words, count, status, comparison, value), words, count * sizeof(TYPE))             \
  WAIT_RESULT(shmem_##NAME##_wait_until_some, PGAS_FLAG_WAIT, size_t,                             \
              (TYPE * words, size_t count, size_t *indices, const int *status, int comparison,    \
               TYPE value),                                                                       \
              (words, count, indices, status, comparison, value), words, count * sizeof(TYPE))    \
  WAIT_VOID(shmem_##NAME##_wait_until_all_vector,                                                 \
            (TYPE * words, size_t count, const int *status, int comparison, TYPE *values),        \
            (words, count, status, comparison, values), words, count * sizeof(TYPE))              \
  WAIT_RESULT(shmem_##NAME##_wait_until_any_vector, PGAS_FLAG_WAIT, size_t,                       \
              (TYPE * words, size_t count, const int *status, int comparison, TYPE *values),      \
              (words, count, status, comparison, values), words, count * sizeof(TYPE))            \
  WAIT_RESULT(shmem_##NAME##_wait_until_some_vector, PGAS_FLAG_WAIT, size_t,                      \
              (TYPE * words, size_t count, size_t *indices, const int *status, int comparison,    \
               TYPE *values),                                                                     \
              (words, count, indices, status, comparison, values), words, count * sizeof(TYPE))

FOR_TYPES(WAITS)

WAIT_VOID(shmem_wait, (volatile long *word, long value), (word, value), (void *)word, sizeof(long))
WAIT_VOID(shmem_wait_until, (volatile long *word, int comparison, long value),
          (word, comparison, value), (void *)word, sizeof(long))
WAIT_RESULT(shmem_signal_wait_until, PGAS_SIGNAL_WAIT, uint64_t,
            (uint64_t *signal, int comparison, uint64_t value), (signal, comparison, value), signal,
            sizeof(uint64_t))

/* ---- Polling ---- */

/* Nanoseconds of CPU time between two tests of one wait. */
#define POLLING_GAP 20000

/* Of the thread that is recorded. */
static struct {
  pgas_call call;
  const void *words;
  int is_region;    /* entered, not left yet */
  int64_t last;     /* CPU time after the last test that failed */
  uint64_t fetched; /* by it, if it was shmem_signal_fetch */
} polling;

static int64_t cpu_time(void) {
  struct timespec now;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
             ? 0
             : now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void pgas_shmem_end_polling(pgas_recorder *recorder) {
  if (polling.is_region) pgas_exit_call(recorder, &polling.call);
  pgas_shmem.is_polling = polling.is_region = 0;
}

/* Before a test; returns whether it follows one that failed. */
static int before_test(pgas_recorder *recorder, const pgas_call *call, const void *words,
                       uint64_t bytes) {
  if (pgas_shmem.is_polling && polling.call.caller == call->caller && polling.words == words) {
    if (!polling.is_region && cpu_time() - polling.last < POLLING_GAP) {
      pgas_enter_call_transfer(recorder, &polling.call, pgas_shmem.my_pe, symmetric_address(words),
                               bytes);
      polling.is_region = 1;
    }
    return 1;
  }
  if (pgas_shmem.is_polling) pgas_shmem_end_polling(recorder);
  polling.call = *call;
  polling.words = words;
  return 0;
}

static void after_test(pgas_recorder *recorder, int succeeded) {
  if (succeeded) {
    pgas_shmem_end_polling(recorder);
    return;
  }
  pgas_shmem.is_polling = 1;
  if (!polling.is_region) polling.last = cpu_time();
}

#define TEST(name, RESULT, parameters, arguments, words, bytes, succeeded) \
  IF_HAVE(name)(WRAPPER(RESULT, name, parameters) {                        \
    const pgas_call call = THIS_CALL(PGAS_FLAG_WAIT, name);                \
    pgas_recorder *recorder = pgas_call_recorder;                          \
    if (!LIKELY(recorder)) return CALL(name) arguments;                    \
    pgas_call_recorder = NULL;                                             \
    before_test(recorder, &call, words, bytes);                            \
    RESULT result = CALL(name) arguments;                                  \
    after_test(recorder, succeeded);                                       \
    end_call(recorder);                                                    \
    return result;                                                         \
  })

#define TESTS_OF(NAME, TYPE, suffix, VALUES)                                                       \
  TEST(shmem_##NAME##_test_all##suffix, int,                                                       \
       (TYPE * words, size_t count, const int *status, int comparison, VALUES value),              \
       (words, count, status, comparison, value), words, count * sizeof(TYPE), result != 0)        \
  TEST(shmem_##NAME##_test_any##suffix, size_t,                                                    \
       (TYPE * words, size_t count, const int *status, int comparison, VALUES value),              \
       (words, count, status, comparison, value), words, count * sizeof(TYPE), result != SIZE_MAX) \
  TEST(shmem_##NAME##_test_some##suffix, size_t,                                                   \
       (TYPE * words, size_t count, size_t *indices, const int *status, int comparison,            \
        VALUES value),                                                                             \
       (words, count, indices, status, comparison, value), words, count * sizeof(TYPE),            \
       result != 0)

#define TESTS(NAME, TYPE)                                                            \
  TEST(shmem_##NAME##_test, int, (volatile TYPE * word, int comparison, TYPE value), \
       (word, comparison, value), (void *)word, sizeof(TYPE), result != 0)           \
  TESTS_OF(NAME, TYPE, , TYPE)                                                       \
  TESTS_OF(NAME, TYPE, _vector, TYPE *)

FOR_TYPES(TESTS)

#ifdef HAVE_shmem_signal_fetch
WRAPPER(uint64_t, shmem_signal_fetch, (const uint64_t *signal)) {
  const pgas_call call = THIS_CALL(PGAS_SIGNAL_WAIT, shmem_signal_fetch);
  pgas_recorder *recorder = pgas_call_recorder;
  if (!LIKELY(recorder)) return CALL(shmem_signal_fetch)(signal);
  pgas_call_recorder = NULL;
  int follows = before_test(recorder, &call, signal, sizeof *signal);
  uint64_t value = CALL(shmem_signal_fetch)(signal);
  after_test(recorder, follows && value != polling.fetched);
  polling.fetched = value;
  end_call(recorder);
  return value;
}
#endif

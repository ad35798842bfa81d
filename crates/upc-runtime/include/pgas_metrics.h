/* Metrics of a program, which `pgastool watch` shows for each thread while the program runs.
 *
 *     #include <pgas_metrics.h>
 *
 *     pgas_metric phase = pgas_metric_counter("phase");
 *     pgas_metric solving = pgas_metric_timer("solving");
 *     pgas_metric_set(phase, 2);
 *     pgas_metric_start(solving);
 *     ...
 *     pgas_metric_stop(solving);
 *     pgas_metric_define("slow = time(upc_memget) if inside(solve) and phase == 2");
 *
 * For C, C++ and UPC. Values are unsigned, of 64 bits, and the calling thread's own. A metric has
 * the same number on all threads of a process. Without `pgastool run --live`, and in programs that
 * were not compiled with pgastool, all of this does nothing. */
#ifndef PGAS_METRICS_H
#define PGAS_METRICS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a metric; negative if it could not be registered: -2 if all 16 metrics are in use,
 * -3 if the name is that of a metric of another kind, -4 if it is empty or too long, -1 if there is
 * no recorder or it failed. */
typedef int pgas_metric;

/* The recorder's functions. Not there in programs without one. */
extern int pgas_recorder_metric(const char *name, int is_timer) __attribute__((weak));
extern int pgas_recorder_metric_define(const char *definition) __attribute__((weak));
extern void pgas_recorder_metric_set(int metric, uint64_t value) __attribute__((weak));
extern void pgas_recorder_metric_add(int metric, uint64_t number) __attribute__((weak));
extern void pgas_recorder_metric_attach(int metric) __attribute__((weak));
extern void pgas_recorder_metric_run(int metric, int is_running) __attribute__((weak));
extern uint64_t pgas_recorder_metric_value(int metric) __attribute__((weak));

/* Registers a counter, or finds the one that is registered under this name: 1 to 40 bytes of UTF-8.
 * A thread has 16 metrics at most; an error is reported on standard error, and the number is
 * negative, with which all functions do nothing. */
static inline pgas_metric pgas_metric_counter(const char *name) {
  return pgas_recorder_metric ? pgas_recorder_metric(name, 0) : -1;
}

/* The same for a timer, which stands still at first. */
static inline pgas_metric pgas_metric_timer(const char *name) {
  return pgas_recorder_metric ? pgas_recorder_metric(name, 1) : -1;
}

/* A counter without a name of its own: "metric 7". */
static inline pgas_metric pgas_metric_numbered(unsigned number) {
  char name[24] = "metric ";
  char digits[12];
  int length = 7, count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  while (count) name[length++] = digits[--count];
  name[length] = 0;
  return pgas_metric_counter(name);
}

static inline void pgas_metric_set(pgas_metric metric, uint64_t value) {
  if (pgas_recorder_metric_set) pgas_recorder_metric_set(metric, value);
}

/* Adds modulo 2^64. */
static inline void pgas_metric_add(pgas_metric metric, uint64_t number) {
  if (pgas_recorder_metric_add) pgas_recorder_metric_add(metric, number);
}

/* Subtracts modulo 2^64. */
static inline void pgas_metric_subtract(pgas_metric metric, uint64_t number) {
  pgas_metric_add(metric, 0 - number);
}

/* Attaches a timer to a counter: from now on it counts the nanoseconds for which it runs. */
static inline void pgas_metric_attach(pgas_metric counter) {
  if (pgas_recorder_metric_attach) pgas_recorder_metric_attach(counter);
}

/* Starts a timer. One that runs goes on. */
static inline void pgas_metric_start(pgas_metric timer) {
  if (pgas_recorder_metric_run) pgas_recorder_metric_run(timer, 1);
}

/* Stops a timer, if it runs. */
static inline void pgas_metric_stop(pgas_metric timer) {
  if (pgas_recorder_metric_run) pgas_recorder_metric_run(timer, 0);
}

/* The value on this thread; of a timer in nanoseconds. 0 if nothing is measured. */
static inline uint64_t pgas_metric_value(pgas_metric metric) {
  return pgas_recorder_metric_value ? pgas_recorder_metric_value(metric) : 0;
}

/* Defines a metric that the recorder keeps on all threads of this process. Returns 0, or another
 * number if the definition is not valid: then standard error says where. The language is described
 * in pgastool's documentation (docs/metrics.md). */
static inline int pgas_metric_define(const char *definition) {
  return pgas_recorder_metric_define ? pgas_recorder_metric_define(definition) : 0;
}

#ifdef __cplusplus
}
#endif
#endif

/*
 * Measures what an event costs on each way, in turns, each time in a process of its own, and prints
 * the best of each:
 *
 *     cost DIRECTORY ROUNDS REPETITIONS [WAY...]
 *     tiny calls|mix|accesses|messages <tab> way <tab> events <tab> nanoseconds an event: of the
 * thread from the first event to the last, <tab> the same with the end of the recording, <tab>
 * processor time of the whole process
 *
 * The thread's time is what passes, without the time in which it would have run but had no core.
 *
 * The last files of each way stay in DIRECTORY/<way>-<sequence>. Exit status 3: the recorder reads
 * another clock.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cost.h"

static const struct way *const ways[] = {&clock_way, &direct_way,    &live_way,
                                         &gasp_way,  &addresses_way, &otf2_way};
#define WAYS ((int)(sizeof ways / sizeof *ways))
static const char *const sequences[SEQUENCES] = {"tiny calls", "mix", "accesses", "messages"};
static const long rounds_of[SEQUENCES] = {43, 1, 43, 2}; /* so that all have as many events */

struct times {
  uint64_t events;
  double first_to_last, whole, processor; /* nanoseconds */
};

static double now(clockid_t clock) {
  struct timespec t;

  clock_gettime(clock, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Nanoseconds that this thread has waited for a core; 0 where the kernel does not say. */
static double waited_for_core(void) {
  FILE *file = fopen("/proc/thread-self/schedstat", "r");
  double running, waited = 0;

  if (file == NULL) return 0;
  if (fscanf(file, "%lf %lf", &running, &waited) != 2) waited = 0;
  fclose(file);
  return waited;
}

/* Time of this thread, whether it works or sleeps, but not what other programs take it off its
 * core: the machine may be busy. */
static double thread_time(void) { return now(CLOCK_MONOTONIC) - waited_for_core(); }

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)type, (void)place;
  return remove(path);
}

/* An empty directory in the form of an experiment, which OTF2's files may be beside. */
static void make_directory(const char *directory) {
  char path[4096];
  FILE *description;

  if (nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
    cost_fail("%s: cannot remove: %s", directory, strerror(errno));
  snprintf(path, sizeof path, "%s/streams", directory);
  if (mkdir(directory, 0777) != 0 || mkdir(path, 0777) != 0)
    cost_fail("%s: cannot create: %s", path, strerror(errno));
  snprintf(path, sizeof path, "%s/experiment.json", directory);
  description = fopen(path, "w");
  if (description == NULL) cost_fail("%s: cannot create: %s", path, strerror(errno));
  fprintf(description,
          "{\"schema\": 1, \"program\": \"cost\", \"arguments\": [], \"threads\": %d, \"host\": "
          "\"\", \"started\": \"\", "
          "\"started_unix_ns\": 0, \"tool_version\": \"\", \"state\": \"running\"}\n",
          COST_THREADS);
  if (fclose(description) != 0) cost_fail("%s: cannot write: %s", path, strerror(errno));
}

/* In the child: the sequence once. */
static void measure(const struct way *way, int sequence, long rounds, const char *directory,
                    int result) {
  struct times times;
  double begin, processor;

  way->open(directory);
  processor = now(CLOCK_PROCESS_CPUTIME_ID);
  begin = thread_time();
  times.events = way->sequences[sequence](rounds);
  times.first_to_last = thread_time() - begin;
  way->close();
  times.whole = thread_time() - begin;
  times.processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
  if (write(result, &times, sizeof times) != (ssize_t)sizeof times)
    cost_fail("cannot pass the result on: %s", strerror(errno));
  _exit(0);
}

static struct times measured(const struct way *way, int sequence, long rounds,
                             const char *directory) {
  struct times times;
  int result[2], status;
  pid_t child;

  make_directory(directory);
  if (pipe(result) != 0 || (child = fork()) < 0)
    cost_fail("cannot start a process: %s", strerror(errno));
  if (child == 0) measure(way, sequence, rounds, directory, result[1]);
  close(result[1]);
  if (read(result[0], &times, sizeof times) != (ssize_t)sizeof times) times.events = 0;
  close(result[0]);
  if (waitpid(child, &status, 0) != child || status != 0 || times.events == 0)
    cost_fail("%s: the process failed", way->name);
  return times;
}

/* Byte 11 of a stream's header says what its times are of. */
static void check_clock(const char *directory) {
  char path[4096];
  FILE *stream;

  snprintf(path, sizeof path, "%s/streams/thread-0000.pgt", directory);
  stream = fopen(path, "rb");
  if (stream == NULL || fseek(stream, 11, SEEK_SET) != 0)
    cost_fail("%s: cannot read: %s", path, strerror(errno));
  if (fgetc(stream) != COST_CLOCK) _exit(3);
  fclose(stream);
}

static void keep_best(double *best, double value) {
  if (*best == 0 || value < *best) *best = value;
}

/* Without names of ways, all are. */
static int wanted(const struct way *way, int number, char **names) {
  int n;

  for (n = 0; n < number; n++)
    if (strcmp(names[n], way->name) == 0) return 1;
  return number == 0;
}

int main(int argc, char **argv) {
  char directory[2048];
  int sequence, repetition, w;

  if (argc < 4) cost_fail("usage: cost DIRECTORY ROUNDS REPETITIONS [WAY...]");
  for (sequence = 0; sequence < SEQUENCES; sequence++) {
    struct times best[WAYS] = {{0, 0, 0, 0}};

    for (repetition = 0; repetition < atoi(argv[3]); repetition++) {
      for (w = 0; w < WAYS; w++) {
        struct times times;

        if (!wanted(ways[w], argc - 4, argv + 4) || ways[w]->sequences[sequence] == NULL) continue;
        snprintf(directory, sizeof directory, "%s/%s-%d", argv[1], ways[w]->name, sequence);
        times = measured(ways[w], sequence, rounds_of[sequence] * atol(argv[2]), directory);
        if (ways[w] == &direct_way) check_clock(directory);
        best[w].events = times.events;
        keep_best(&best[w].first_to_last, times.first_to_last);
        keep_best(&best[w].whole, times.whole);
        keep_best(&best[w].processor, times.processor);
      }
    }
    for (w = 0; w < WAYS; w++) {
      double events = (double)best[w].events;

      if (best[w].events == 0) continue;
      printf("%s\t%s\t%.0f\t%.3f\t%.3f\t%.3f\n", sequences[sequence], ways[w]->name, events,
             best[w].first_to_last / events, best[w].whole / events, best[w].processor / events);
    }
  }
  return 0;
}

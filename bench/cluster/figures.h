/*
 * Functions that the programs of the benchmark share, those in UPC and those that call MPI by hand.
 * The first process prints a line for each figure, name <tab> value; run.sh adds the round and the
 * program. A time is the median of REPETITIONS; -DREPETITIONS=3 is a short form.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef REPETITIONS
#define REPETITIONS 200
#endif

static double clock_us(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static inline double now_us(void) { return clock_us(CLOCK_MONOTONIC); }

static int compare_values(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_values);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct time {
  double median, mean; /* of an operation, in microseconds */
};

/* A call of `work` does `operations`; the first one does not count. */
static inline struct time time_of(void (*work)(void), int operations, int repetitions) {
  double times[REPETITIONS], sum = 0;
  work();
  for (int i = 0; i < repetitions; i++) {
    double begin = now_us();
    work();
    times[i] = (now_us() - begin) / operations;
    sum += times[i];
  }
  return (struct time){median(times, repetitions), sum / repetitions};
}

static void print_figure(const char *name, double value) {
  printf("%s\t%.5f\n", name, value);
  fflush(stdout);
}

/* CPU time of all threads of this process but the calling one, in microseconds. */
static inline double cpu_us_of_others(void) {
  DIR *directory = opendir("/proc/self/task");
  if (directory == NULL) exit(2);
  double sum = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    char path[300];
    double ns;
    if (entry->d_name[0] == '.' || atol(entry->d_name) == syscall(SYS_gettid)) continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", entry->d_name);
    FILE *file = fopen(path, "r");
    if (file == NULL) continue;
    if (fscanf(file, "%lf", &ns) == 1) sum += ns / 1e3;
    fclose(file);
  }
  closedir(directory);
  return sum;
}

/* CPU time of the other threads of this process while the calling one sleeps, in percent of a core.
 */
static inline void print_idle_cost(void) {
  double before = cpu_us_of_others(), begin = now_us();
  sleep(REPETITIONS > 10 ? 3 : 1);
  print_figure("asleep, other threads", 100 * (cpu_us_of_others() - before) / (now_us() - begin));
}

/* Memory of this process in KiB, its share of common pages included: all of it, and without pages
 * of files, of which each process has a smaller share the more there are. */
struct memory {
  double all, not_files;
};

static inline struct memory memory_now(void) {
  struct memory memory = {0, 0};
  char line[200];
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  if (file == NULL) exit(2);
  while (fgets(line, sizeof line, file) != NULL) {
    double kib;
    if (sscanf(line, "Pss: %lf", &kib) == 1) memory.all = kib;
    if (sscanf(line, "Pss_Anon: %lf", &kib) == 1) memory.not_files += kib;
    if (sscanf(line, "Pss_Shmem: %lf", &kib) == 1) memory.not_files += kib;
  }
  fclose(file);
  return memory;
}

#endif

/* How many cores the program may use: those of its affinity mask, or fewer where the control group
 * that it is in, as in a container, has a quota of processor time. Threads beyond that number only
 * take time from each other. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

static int in_affinity(void) {
  /* Larger than the default set, for machines with more than 1024 cores. */
  for (int size = 1024; size <= 1 << 16; size *= 4) {
    cpu_set_t *set = CPU_ALLOC((size_t)size);
    if (set == NULL) break;
    int failed = sched_getaffinity(0, CPU_ALLOC_SIZE((size_t)size), set);
    int count = failed ? 0 : CPU_COUNT_S(CPU_ALLOC_SIZE((size_t)size), set);
    CPU_FREE(set);
    if (!failed) return count;
    if (errno != EINVAL) break;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

/* Up to two words at the begin of a file; returns how many there are. */
static int read_words(const char *path, char *first, char *second) {
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  int count = fscanf(file, "%31s %31s", first, second);
  fclose(file);
  return count < 0 ? 0 : count;
}

static double ratio(const char *quota, const char *period) {
  double q, p;
  /* "max" and -1 are no quota. */
  if (sscanf(quota, "%lf", &q) != 1 || sscanf(period, "%lf", &p) != 1 || q <= 0 || p <= 0) return 0;
  return q / p;
}

/* Cores' worth of time that the group in this directory may take, 0 for no limit. */
static double quota_of(const char *directory, int version) {
  char path[1200], quota[32], period[32];
  if (version == 2) {
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    return read_words(path, quota, period) == 2 ? ratio(quota, period) : 0;
  }
  snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
  if (read_words(path, quota, period) < 1) return 0;
  snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
  char rest[32];
  return read_words(path, period, rest) < 1 ? 0 : ratio(quota, period);
}

/* The smallest quota of this group and of those that it is in; `root` is where the groups are
 * mounted. */
static double smallest_quota(const char *root, const char *group, int version) {
  char directory[1100];
  double smallest = 0;
  snprintf(directory, sizeof directory, "%s%s", root, strcmp(group, "/") == 0 ? "" : group);
  for (;;) {
    double quota = quota_of(directory, version);
    if (quota > 0 && (smallest == 0 || quota < smallest)) smallest = quota;
    char *slash = strrchr(directory, '/');
    if (slash == NULL || (size_t)(slash - directory) < strlen(root)) return smallest;
    *slash = 0;
  }
}

static double in_quota(void) {
  FILE *file = fopen("/proc/self/cgroup", "re");
  if (file == NULL) return 0;
  char line[1024];
  double smallest = 0;
  /* number:controllers:group, where version 2 has no controllers. */
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':');
    char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (group == NULL) continue;
    *group++ = 0;
    controllers++;
    double quota = 0;
    if (*controllers == 0) {
      quota = smallest_quota("/sys/fs/cgroup", group, 2);
    } else {
      for (char *name = strtok(controllers, ","); name != NULL; name = strtok(NULL, ","))
        if (strcmp(name, "cpu") == 0) quota = smallest_quota("/sys/fs/cgroup/cpu", group, 1);
    }
    if (quota > 0 && (smallest == 0 || quota < smallest)) smallest = quota;
  }
  fclose(file);
  return smallest;
}

int upcr_cores(void) {
  int cores = in_affinity();
  double quota = in_quota();
  /* Rounded down: looking around with a core's rest would use up what the others need. */
  if (quota > 0 && quota < cores) cores = quota < 1 ? 1 : (int)quota;
  return cores < 1 ? 1 : cores;
}

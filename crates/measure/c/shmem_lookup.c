/* OpenSHMEM: functions of a library without profiling interface, found in the object that comes
 * after the program in the search of symbols. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef PGAS_SHMEM_WITHOUT_PROFILING
extern void *pgas_shmem_look_up(void **place, const char *name);

void *pgas_shmem_look_up(void **place, const char *name) {
  *place = dlsym(RTLD_NEXT, name);
  if (*place) return *place;
  fprintf(stderr, "pgastool: the SHMEM library has no %s\n", name);
  abort();
}
#else
typedef int nothing_to_find;
#endif

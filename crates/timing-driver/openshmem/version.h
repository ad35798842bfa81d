/* Version of OpenSHMEM that the compiler has. */
#ifndef PGAS_TIMING_VERSION_H
#define PGAS_TIMING_VERSION_H

#include <shmem.h>

#define HAS_OPENSHMEM(major, minor) \
  (SHMEM_MAJOR_VERSION * 100 + SHMEM_MINOR_VERSION >= (major) * 100 + (minor))

#endif

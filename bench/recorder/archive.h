/* An OTF2 archive of one process: opened, with the definitions that a reader needs, and closed
 * again. */
#ifndef BENCH_ARCHIVE_H
#define BENCH_ARCHIVE_H

#include <otf2/otf2.h>

#include "cost.h"

/* Ends the process unless the call succeeded. */
#define OTF2_CHECK(call)                                                                      \
  do {                                                                                        \
    OTF2_ErrorCode code_ = (call);                                                            \
    if (code_ != OTF2_SUCCESS)                                                                \
      cost_fail("OTF2: %s: %s", OTF2_Error_GetName(code_), OTF2_Error_GetDescription(code_)); \
  } while (0)

/* An archive DIRECTORY/traces.otf2 for uncompressed files, with chunks of the size that OTF2
 * suggests; events are written to the file whenever a chunk is full. */
OTF2_Archive *archive_open(const char *directory);

/* Writes the definitions: `locations` threads of one process, and a region for each name. Region 0
 * is the first. */
void archive_define(OTF2_Archive *archive, uint64_t locations, const uint64_t *events,
                    const char *const *regions, uint32_t number_of_regions,
                    uint64_t ticks_per_second, uint64_t first_tick, uint64_t last_tick);

#endif

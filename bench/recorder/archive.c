/* See archive.h. */
#include "archive.h"

#include <string.h>

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool final) {
  (void)data, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *data, OTF2_FileType type, OTF2_LocationRef location) {
  (void)data, (void)type, (void)location;
  return cost_ticks();
}

static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = before_flush,
                                        .otf2_post_flush = after_flush};

OTF2_Archive *archive_open(const char *directory) {
  OTF2_Archive *archive = OTF2_Archive_Open(
      directory, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
      OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

  if (archive == NULL) cost_fail("OTF2 cannot open an archive in %s", directory);
  OTF2_CHECK(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL));
  OTF2_CHECK(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
  OTF2_CHECK(OTF2_Archive_OpenEvtFiles(archive));
  return archive;
}

void archive_define(OTF2_Archive *archive, uint64_t locations, const uint64_t *events,
                    const char *const *regions, uint32_t number_of_regions,
                    uint64_t ticks_per_second, uint64_t first_tick, uint64_t last_tick) {
  OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_StringRef string = 0;
  uint64_t location;
  uint32_t region;

  if (writer == NULL) cost_fail("OTF2 gives no writer of definitions");
  OTF2_CHECK(OTF2_GlobalDefWriter_WriteClockProperties(
      writer, ticks_per_second, first_tick, last_tick - first_tick + 1, OTF2_UNDEFINED_TIMESTAMP));
  OTF2_CHECK(OTF2_GlobalDefWriter_WriteString(writer, string++, ""));
  OTF2_CHECK(OTF2_GlobalDefWriter_WriteString(writer, string++, "node"));
  OTF2_CHECK(OTF2_GlobalDefWriter_WriteString(writer, string++, "process"));
  OTF2_CHECK(
      OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  OTF2_CHECK(OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 2, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                     0, OTF2_UNDEFINED_LOCATION_GROUP));
  for (location = 0; location < locations; location++) {
    OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(archive, location);

    OTF2_CHECK(OTF2_Archive_CloseDefWriter(archive, local));
    OTF2_CHECK(OTF2_GlobalDefWriter_WriteLocation(
        writer, location, 2, OTF2_LOCATION_TYPE_CPU_THREAD, events[location], 0));
  }
  for (region = 0; region < number_of_regions; region++) {
    OTF2_CHECK(OTF2_GlobalDefWriter_WriteString(writer, string, regions[region]));
    OTF2_CHECK(OTF2_GlobalDefWriter_WriteRegion(writer, region, string, string, 0,
                                                OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                                OTF2_REGION_FLAG_NONE, 0, 0, 0));
    string++;
  }
  OTF2_CHECK(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
}

/* OTF2's writer of events. A transfer is an Enter with the record of the one-sided operation, and a
 * Leave: what keeps as much as the recorder keeps, in as few records as possible. */
#include "archive.h"

enum {
  REGION_program,
  REGION_step,
  REGION_cell,
  REGION_flux,
  REGION_limiter,
  GET_REGION,
  PUT_REGION,
  NOTIFY,
  WAIT,
  REGIONS
};

static const char *const regions[REGIONS] = {"program",    "step",       "cell",
                                             "flux",       "limiter",    "upc_memget",
                                             "upc_memput", "upc_notify", "upc_wait"};

static OTF2_Archive *archive;
static OTF2_EvtWriter *writer;
static uint64_t ticks_per_second, first_tick;
/* Errors are looked at in the end, so that looking costs the events nothing. */
static int failures;

#define WRITE(call) (failures |= (int)(call))
#define ENTER_REGION(region) WRITE(OTF2_EvtWriter_Enter(writer, NULL, cost_ticks(), region))
#define LEAVE_REGION(region) WRITE(OTF2_EvtWriter_Leave(writer, NULL, cost_ticks(), region))
#define ENTER(function, line) ENTER_REGION(REGION_##function)
#define EXIT(function) LEAVE_REGION(REGION_##function)
#define TRANSFER(region, write, partner, bytes)                          \
  do {                                                                   \
    uint64_t now = cost_ticks();                                         \
    WRITE(OTF2_EvtWriter_Enter(writer, NULL, now, region));              \
    WRITE(write(writer, NULL, now, 0, (uint32_t)(partner), (bytes), 0)); \
    LEAVE_REGION(region);                                                \
  } while (0)
#define GET(partner, bytes) TRANSFER(GET_REGION, OTF2_EvtWriter_RmaGet, partner, bytes)
#define PUT(partner, bytes) TRANSFER(PUT_REGION, OTF2_EvtWriter_RmaPut, partner, bytes)
#define BARRIER(value)                              \
  do {                                              \
    __asm__ volatile("" : : "r"(value) : "memory"); \
    ENTER_REGION(NOTIFY);                           \
    LEAVE_REGION(NOTIFY);                           \
    ENTER_REGION(WAIT);                             \
    LEAVE_REGION(WAIT);                             \
  } while (0)
#include "stream.h"

static void open_archive(const char *directory) {
  archive = archive_open(directory);
  writer = OTF2_Archive_GetEvtWriter(archive, 0);
  if (writer == NULL) cost_fail("OTF2 gives no writer of events");
  ticks_per_second = cost_ticks_per_second();
  first_tick = cost_ticks();
}

static void close_archive(void) {
  uint64_t events;

  if (failures != 0) cost_fail("OTF2 did not take all events");
  OTF2_CHECK(OTF2_EvtWriter_GetNumberOfEvents(writer, &events));
  OTF2_CHECK(OTF2_Archive_CloseEvtWriter(archive, writer));
  OTF2_CHECK(OTF2_Archive_CloseEvtFiles(archive));
  archive_define(archive, 1, &events, regions, REGIONS, ticks_per_second, first_tick, cost_ticks());
  OTF2_CHECK(OTF2_Archive_Close(archive));
}

const struct way otf2_way = {"otf2", open_archive, {tiny_calls, mix, accesses}, close_archive};

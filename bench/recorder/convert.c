/*
 * Writes the events of an experiment with OTF2, for a comparison of sizes:
 *
 *     trace_sizes records EXPERIMENT | convert DIRECTORY
 *
 * Standard input is what crates/trace/examples/trace_sizes.rs describes. A transfer becomes an
 * Enter and the record of the one-sided operation at the same time; taking or releasing a lock and
 * the end of a collective operation become their record and a Leave at the same time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "archive.h"

enum { ENTER, EXIT, GET, PUT, TAKE_LOCK, RELEASE_LOCK, BARRIER, COLLECTIVE, THREAD };

struct record {
  uint64_t kind, place, time, first, second;
};

static int read_record(struct record *record) {
  size_t read = fread(record, 1, sizeof *record, stdin);

  if (read != 0 && read != sizeof *record) cost_fail("the input ends within a record");
  return read != 0;
}

static void write_record(OTF2_EvtWriter *writer, const struct record *r) {
  uint32_t region = (uint32_t)r->place;

  switch (r->kind) {
    case ENTER: OTF2_CHECK(OTF2_EvtWriter_Enter(writer, NULL, r->time, region)); return;
    case GET:
      OTF2_CHECK(OTF2_EvtWriter_Enter(writer, NULL, r->time, region));
      OTF2_CHECK(OTF2_EvtWriter_RmaGet(writer, NULL, r->time, 0, (uint32_t)r->first, r->second, 0));
      return;
    case PUT:
      OTF2_CHECK(OTF2_EvtWriter_Enter(writer, NULL, r->time, region));
      OTF2_CHECK(OTF2_EvtWriter_RmaPut(writer, NULL, r->time, 0, (uint32_t)r->first, r->second, 0));
      return;
    case EXIT: break;
    case TAKE_LOCK:
      OTF2_CHECK(OTF2_EvtWriter_RmaAcquireLock(writer, NULL, r->time, 0, 0, r->first,
                                               OTF2_LOCK_EXCLUSIVE));
      break;
    case RELEASE_LOCK:
      OTF2_CHECK(OTF2_EvtWriter_RmaReleaseLock(writer, NULL, r->time, 0, 0, r->first));
      break;
    case BARRIER:
      OTF2_CHECK(OTF2_EvtWriter_RmaCollectiveEnd(writer, NULL, r->time, OTF2_COLLECTIVE_OP_BARRIER,
                                                 OTF2_RMA_SYNC_LEVEL_PROCESS, 0,
                                                 OTF2_UNDEFINED_UINT32, 0, 0));
      break;
    case COLLECTIVE:
      OTF2_CHECK(OTF2_EvtWriter_RmaCollectiveEnd(writer, NULL, r->time, OTF2_COLLECTIVE_OP_ALLTOALL,
                                                 OTF2_RMA_SYNC_LEVEL_MEMORY, 0, 0, r->first,
                                                 r->second));
      break;
    default: cost_fail("a record of kind %llu", (unsigned long long)r->kind);
  }
  OTF2_CHECK(OTF2_EvtWriter_Leave(writer, NULL, r->time, region));
}

int main(int argc, char **argv) {
  /* Threads, regions, first and last time, ticks a second. */
  struct record head, record;
  OTF2_Archive *archive;
  OTF2_EvtWriter *writer = NULL;
  uint64_t *events, thread = 0;
  char(*names)[24];
  const char **regions;
  uint32_t region;

  if (argc != 2) cost_fail("usage: convert DIRECTORY");
  if (!read_record(&head)) cost_fail("the input is empty");
  events = calloc(head.kind + 1, sizeof *events);
  names = calloc(head.place + 1, sizeof *names);
  regions = calloc(head.place + 1, sizeof *regions);
  if (events == NULL || names == NULL || regions == NULL) cost_fail("no memory");
  for (region = 0; region < head.place; region++) {
    snprintf(names[region], sizeof names[region], "region %u", region);
    regions[region] = names[region];
  }
  archive = archive_open(argv[1]);
  while (read_record(&record)) {
    if (record.kind != THREAD) {
      if (writer == NULL) cost_fail("an event before its thread");
      write_record(writer, &record);
      continue;
    }
    if (writer != NULL) {
      OTF2_CHECK(OTF2_EvtWriter_GetNumberOfEvents(writer, &events[thread]));
      OTF2_CHECK(OTF2_Archive_CloseEvtWriter(archive, writer));
    }
    thread = record.place;
    if (thread >= head.kind || (writer = OTF2_Archive_GetEvtWriter(archive, thread)) == NULL)
      cost_fail("no writer of events for thread %llu", (unsigned long long)thread);
  }
  if (writer != NULL) {
    OTF2_CHECK(OTF2_EvtWriter_GetNumberOfEvents(writer, &events[thread]));
    OTF2_CHECK(OTF2_Archive_CloseEvtWriter(archive, writer));
  }
  OTF2_CHECK(OTF2_Archive_CloseEvtFiles(archive));
  archive_define(archive, head.kind, events, regions, (uint32_t)head.place, head.second, head.time,
                 head.first);
  OTF2_CHECK(OTF2_Archive_Close(archive));
  return 0;
}

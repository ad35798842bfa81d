/* The calls of OTF2's library that a conversion needs, with its enumerations behind names of our
 * own: so the compiler checks them against the headers that are installed, whatever version these
 * are. Called from src/ffi.rs. */

#include <otf2/otf2.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#define UNDEFINED_NUMBER UINT32_MAX

/* An archive that is being written: first the events of one location after the other, then the
 * definitions. */
typedef struct pgas_otf2 {
  OTF2_Archive *archive;
  OTF2_EvtWriter *events;
  OTF2_GlobalDefWriter *definitions;
  /* Of the next event; writing it empties the list. */
  OTF2_AttributeList *attributes;
} pgas_otf2;

static OTF2_FlushType flush(void *data, OTF2_FileType file, OTF2_LocationRef location, void *caller,
                            bool final) {
  (void)data, (void)file, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = flush, .otf2_post_flush = NULL};

/* The caller reports errors; the library would write them to standard error itself. */
static OTF2_ErrorCode quiet(void *data, const char *file, uint64_t line, const char *function,
                            OTF2_ErrorCode code, const char *format, va_list arguments) {
  (void)data, (void)file, (void)line, (void)function, (void)format, (void)arguments;
  return code;
}

#define TRY(call)                                 \
  do {                                            \
    OTF2_ErrorCode code_ = (call);                \
    if (code_ != OTF2_SUCCESS) return (int)code_; \
  } while (0)

const char *pgas_otf2_describe(int code) { return OTF2_Error_GetDescription((OTF2_ErrorCode)code); }

/* Begins the archive `name`.otf2 in a directory; NULL if that fails. */
pgas_otf2 *pgas_otf2_open(const char *directory, const char *name, const char *creator) {
  OTF2_Error_RegisterCallback(quiet, NULL);
  pgas_otf2 *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->archive = OTF2_Archive_Open(
      directory, name, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
      OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  self->attributes = OTF2_AttributeList_New();
  if (self->archive == NULL || self->attributes == NULL ||
      OTF2_Archive_SetFlushCallbacks(self->archive, &flushing, NULL) != OTF2_SUCCESS ||
      OTF2_Archive_SetSerialCollectiveCallbacks(self->archive) != OTF2_SUCCESS ||
      OTF2_Archive_SetCreator(self->archive, creator) != OTF2_SUCCESS ||
      OTF2_Archive_OpenEvtFiles(self->archive) != OTF2_SUCCESS) {
    if (self->archive != NULL) OTF2_Archive_Close(self->archive);
    if (self->attributes != NULL) OTF2_AttributeList_Delete(self->attributes);
    free(self);
    return NULL;
  }
  return self;
}

/* Ends the archive, whether it is complete or not. */
int pgas_otf2_close(pgas_otf2 *self) {
  OTF2_ErrorCode code = OTF2_Archive_Close(self->archive);
  OTF2_AttributeList_Delete(self->attributes);
  free(self);
  return (int)code;
}

/* Events. */

int pgas_otf2_begin_location(pgas_otf2 *self, uint64_t location) {
  self->events = OTF2_Archive_GetEvtWriter(self->archive, location);
  return self->events == NULL ? (int)OTF2_ERROR_INTEGRITY_FAULT : 0;
}

int pgas_otf2_end_location(pgas_otf2 *self, uint64_t *events) {
  TRY(OTF2_EvtWriter_GetNumberOfEvents(self->events, events));
  TRY(OTF2_Archive_CloseEvtWriter(self->archive, self->events));
  self->events = NULL;
  return 0;
}

int pgas_otf2_attribute_place(pgas_otf2 *self, uint32_t attribute, uint32_t place) {
  return (int)OTF2_AttributeList_AddSourceCodeLocationRef(self->attributes, attribute, place);
}

int pgas_otf2_attribute_int32(pgas_otf2 *self, uint32_t attribute, int32_t value) {
  return (int)OTF2_AttributeList_AddInt32(self->attributes, attribute, value);
}

int pgas_otf2_attribute_uint64(pgas_otf2 *self, uint32_t attribute, uint64_t value) {
  return (int)OTF2_AttributeList_AddUint64(self->attributes, attribute, value);
}

int pgas_otf2_attribute_string(pgas_otf2 *self, uint32_t attribute, uint32_t string) {
  return (int)OTF2_AttributeList_AddStringRef(self->attributes, attribute, string);
}

int pgas_otf2_enter(pgas_otf2 *self, uint64_t time, uint32_t region) {
  return (int)OTF2_EvtWriter_Enter(self->events, self->attributes, time, region);
}

int pgas_otf2_leave(pgas_otf2 *self, uint64_t time, uint32_t region) {
  return (int)OTF2_EvtWriter_Leave(self->events, self->attributes, time, region);
}

int pgas_otf2_put(pgas_otf2 *self, uint64_t time, uint32_t remote, uint64_t bytes,
                  uint64_t number) {
  return (int)OTF2_EvtWriter_RmaPut(self->events, self->attributes, time, 0, remote, bytes, number);
}

int pgas_otf2_get(pgas_otf2 *self, uint64_t time, uint32_t remote, uint64_t bytes,
                  uint64_t number) {
  return (int)OTF2_EvtWriter_RmaGet(self->events, self->attributes, time, 0, remote, bytes, number);
}

int pgas_otf2_complete(pgas_otf2 *self, uint64_t time, uint64_t number, int blocking) {
  if (blocking)
    return (int)OTF2_EvtWriter_RmaOpCompleteBlocking(self->events, self->attributes, time, 0,
                                                     number);
  return (int)OTF2_EvtWriter_RmaOpCompleteNonBlocking(self->events, self->attributes, time, 0,
                                                      number);
}

int pgas_otf2_request_lock(pgas_otf2 *self, uint64_t time, uint64_t lock) {
  return (int)OTF2_EvtWriter_RmaRequestLock(self->events, self->attributes, time, 0,
                                            UNDEFINED_NUMBER, lock, OTF2_LOCK_EXCLUSIVE);
}

int pgas_otf2_acquire_lock(pgas_otf2 *self, uint64_t time, uint64_t lock) {
  return (int)OTF2_EvtWriter_RmaAcquireLock(self->events, self->attributes, time, 0,
                                            UNDEFINED_NUMBER, lock, OTF2_LOCK_EXCLUSIVE);
}

int pgas_otf2_try_lock(pgas_otf2 *self, uint64_t time, uint64_t lock) {
  return (int)OTF2_EvtWriter_RmaTryLock(self->events, self->attributes, time, 0, UNDEFINED_NUMBER,
                                        lock, OTF2_LOCK_EXCLUSIVE);
}

int pgas_otf2_release_lock(pgas_otf2 *self, uint64_t time, uint64_t lock) {
  return (int)OTF2_EvtWriter_RmaReleaseLock(self->events, self->attributes, time, 0,
                                            UNDEFINED_NUMBER, lock);
}

int pgas_otf2_send(pgas_otf2 *self, uint64_t time, uint32_t receiver, uint32_t tag,
                   uint64_t bytes) {
  return (int)OTF2_EvtWriter_MpiSend(self->events, self->attributes, time, receiver, 0, tag, bytes);
}

int pgas_otf2_receive(pgas_otf2 *self, uint64_t time, uint32_t sender, uint32_t tag,
                      uint64_t bytes) {
  return (int)OTF2_EvtWriter_MpiRecv(self->events, self->attributes, time, sender, 0, tag, bytes);
}

int pgas_otf2_collective_begin(pgas_otf2 *self, uint64_t time) {
  return (int)OTF2_EvtWriter_RmaCollectiveBegin(self->events, self->attributes, time);
}

/* The order is that of `Collective` in src/archive.rs. */
static const OTF2_CollectiveOp collectives[] = {
    OTF2_COLLECTIVE_OP_BARRIER,       OTF2_COLLECTIVE_OP_BCAST,
    OTF2_COLLECTIVE_OP_SCATTER,       OTF2_COLLECTIVE_OP_GATHER,
    OTF2_COLLECTIVE_OP_ALLGATHER,     OTF2_COLLECTIVE_OP_ALLTOALL,
    OTF2_COLLECTIVE_OP_REDUCE,        OTF2_COLLECTIVE_OP_SCAN,
    OTF2_COLLECTIVE_OP_ALLOCATE,      OTF2_COLLECTIVE_OP_DEALLOCATE,
    OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
};

/* `synchronises`: 1 processes, 2 memory, 3 both. `root` may be UNDEFINED_NUMBER. */
int pgas_otf2_collective_end(pgas_otf2 *self, uint64_t time, uint32_t collective,
                             uint32_t synchronises, uint32_t root, uint64_t sent,
                             uint64_t received) {
  uint32_t level = OTF2_RMA_SYNC_LEVEL_NONE;
  if (collective >= sizeof collectives / sizeof *collectives)
    return (int)OTF2_ERROR_INVALID_ARGUMENT;
  if (synchronises & 1) level |= OTF2_RMA_SYNC_LEVEL_PROCESS;
  if (synchronises & 2) level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
  return (int)OTF2_EvtWriter_RmaCollectiveEnd(self->events, self->attributes, time,
                                              collectives[collective], (OTF2_RmaSyncLevel)level, 0,
                                              root, sent, received);
}

int pgas_otf2_on_off(pgas_otf2 *self, uint64_t time, int on) {
  return (int)OTF2_EvtWriter_MeasurementOnOff(self->events, self->attributes, time,
                                              on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

/* Definitions. */

/* To be called when all events of all locations are written. */
int pgas_otf2_begin_definitions(pgas_otf2 *self, uint64_t locations, uint64_t ticks_per_second,
                                uint64_t first, uint64_t length, uint64_t unix_nanoseconds) {
  TRY(OTF2_Archive_CloseEvtFiles(self->archive));
  TRY(OTF2_Archive_OpenDefFiles(self->archive));
  for (uint64_t location = 0; location < locations; location++) {
    OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(self->archive, location);
    if (writer == NULL) return (int)OTF2_ERROR_INTEGRITY_FAULT;
    TRY(OTF2_Archive_CloseDefWriter(self->archive, writer));
  }
  TRY(OTF2_Archive_CloseDefFiles(self->archive));
  self->definitions = OTF2_Archive_GetGlobalDefWriter(self->archive);
  if (self->definitions == NULL) return (int)OTF2_ERROR_INTEGRITY_FAULT;
#if OTF2_VERSION_MAJOR >= 3
  return (int)OTF2_GlobalDefWriter_WriteClockProperties(self->definitions, ticks_per_second, first,
                                                        length, unix_nanoseconds);
#else
  (void)unix_nanoseconds;
  return (int)OTF2_GlobalDefWriter_WriteClockProperties(self->definitions, ticks_per_second, first,
                                                        length);
#endif
}

int pgas_otf2_string(pgas_otf2 *self, uint32_t id, const char *text) {
  return (int)OTF2_GlobalDefWriter_WriteString(self->definitions, id, text);
}

/* The order is that of `Paradigm` in src/archive.rs. */
static const OTF2_Paradigm paradigms[] = {
    OTF2_PARADIGM_COMPILER,
    OTF2_PARADIGM_USER,
    OTF2_PARADIGM_UPC,
    OTF2_PARADIGM_SHMEM,
    OTF2_PARADIGM_MPI,
    OTF2_PARADIGM_UNKNOWN,
    OTF2_PARADIGM_MEASUREMENT_SYSTEM,
};

int pgas_otf2_paradigm(pgas_otf2 *self, uint32_t paradigm, uint32_t name) {
  if (paradigm >= sizeof paradigms / sizeof *paradigms) return (int)OTF2_ERROR_INVALID_ARGUMENT;
  return (int)OTF2_GlobalDefWriter_WriteParadigm(self->definitions, paradigms[paradigm], name,
                                                 OTF2_PARADIGM_CLASS_PROCESS);
}

int pgas_otf2_attribute(pgas_otf2 *self, uint32_t id, uint32_t name, uint32_t description,
                        uint32_t type) {
  static const OTF2_Type types[] = {OTF2_TYPE_SOURCE_CODE_LOCATION, OTF2_TYPE_INT32,
                                    OTF2_TYPE_UINT64, OTF2_TYPE_STRING};
  if (type >= sizeof types / sizeof *types) return (int)OTF2_ERROR_INVALID_ARGUMENT;
  return (int)OTF2_GlobalDefWriter_WriteAttribute(self->definitions, id, name, description,
                                                  types[type]);
}

int pgas_otf2_tree_node(pgas_otf2 *self, uint32_t id, uint32_t name, uint32_t class_name,
                        uint32_t parent) {
  return (int)OTF2_GlobalDefWriter_WriteSystemTreeNode(self->definitions, id, name, class_name,
                                                       parent);
}

/* A process of one thread, which is its location. */
int pgas_otf2_thread(pgas_otf2 *self, uint32_t thread, uint32_t name, uint32_t node,
                     uint64_t events) {
#if OTF2_VERSION_MAJOR >= 3
  TRY(OTF2_GlobalDefWriter_WriteLocationGroup(self->definitions, thread, name,
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
                                              OTF2_UNDEFINED_LOCATION_GROUP));
#else
  TRY(OTF2_GlobalDefWriter_WriteLocationGroup(self->definitions, thread, name,
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, node));
#endif
  return (int)OTF2_GlobalDefWriter_WriteLocation(self->definitions, thread, name,
                                                 OTF2_LOCATION_TYPE_CPU_THREAD, events, thread);
}

/* The order is that of `Role` in src/archive.rs. */
static const OTF2_RegionRole roles[] = {
    OTF2_REGION_ROLE_FUNCTION,     OTF2_REGION_ROLE_CODE,         OTF2_REGION_ROLE_LOOP,
    OTF2_REGION_ROLE_ARTIFICIAL,   OTF2_REGION_ROLE_BARRIER,      OTF2_REGION_ROLE_FLUSH,
    OTF2_REGION_ROLE_ALLOCATE,     OTF2_REGION_ROLE_DEALLOCATE,   OTF2_REGION_ROLE_REALLOCATE,
    OTF2_REGION_ROLE_CRITICAL,     OTF2_REGION_ROLE_RMA,          OTF2_REGION_ROLE_COLL_ONE2ALL,
    OTF2_REGION_ROLE_COLL_ALL2ONE, OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_REGION_ROLE_COLL_OTHER,
    OTF2_REGION_ROLE_FILE_IO,      OTF2_REGION_ROLE_ATOMIC,       OTF2_REGION_ROLE_POINT2POINT,
};

int pgas_otf2_region(pgas_otf2 *self, uint32_t id, uint32_t name, uint32_t role, uint32_t paradigm,
                     uint32_t file, uint32_t line) {
  if (role >= sizeof roles / sizeof *roles || paradigm >= sizeof paradigms / sizeof *paradigms)
    return (int)OTF2_ERROR_INVALID_ARGUMENT;
  return (int)OTF2_GlobalDefWriter_WriteRegion(
      self->definitions, id, name, name, OTF2_UNDEFINED_STRING, roles[role], paradigms[paradigm],
      OTF2_REGION_FLAG_NONE, file, line, OTF2_UNDEFINED_UINT32);
}

int pgas_otf2_place(pgas_otf2 *self, uint32_t id, uint32_t file, uint32_t line) {
  return (int)OTF2_GlobalDefWriter_WriteSourceCodeLocation(self->definitions, id, file, line);
}

/* The window of all shared memory, number 0, with all threads; `members` are 0, 1, 2, ... */
int pgas_otf2_window(pgas_otf2 *self, uint32_t name, uint32_t paradigm, uint32_t threads,
                     const uint64_t *members) {
  if (paradigm >= sizeof paradigms / sizeof *paradigms) return (int)OTF2_ERROR_INVALID_ARGUMENT;
  TRY(OTF2_GlobalDefWriter_WriteGroup(self->definitions, 0, name, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                      paradigms[paradigm], OTF2_GROUP_FLAG_NONE, threads, members));
  TRY(OTF2_GlobalDefWriter_WriteGroup(self->definitions, 1, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                      paradigms[paradigm], OTF2_GROUP_FLAG_NONE, threads, members));
#if OTF2_VERSION_MAJOR >= 3
  TRY(OTF2_GlobalDefWriter_WriteComm(self->definitions, 0, name, 1, OTF2_UNDEFINED_COMM,
                                     OTF2_COMM_FLAG_NONE));
  return (int)OTF2_GlobalDefWriter_WriteRmaWin(self->definitions, 0, name, 0,
                                               OTF2_RMA_WIN_FLAG_NONE);
#else
  TRY(OTF2_GlobalDefWriter_WriteComm(self->definitions, 0, name, 1, OTF2_UNDEFINED_COMM));
  return (int)OTF2_GlobalDefWriter_WriteRmaWin(self->definitions, 0, name, 0);
#endif
}

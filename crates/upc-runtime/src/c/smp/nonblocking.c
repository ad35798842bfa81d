/* The libraries of upc_nb.h and bupc_async.h without lists. All memory is mapped in every thread: a
 * transfer is complete when the call that begins it returns, the only handle is the complete one,
 * and any other was never given out. */
#include <string.h>

#include "runtime.h"

struct upcr_transfer;

static void check(const struct upcr_transfer *handle, const char *call) {
  if (__builtin_expect(handle != NULL, 0))
    upcr_fatal("thread %d: %s of a handle (%p) that no transfer has returned", upcr_mythread, call,
               (void *)handle);
}

/* ---- Transfers; the names of UPC and of Berkeley UPC ---- */

#define TRANSFERS(cpy, get, put, set, result_type, result)                       \
  UPCR_LIBRARY result_type cpy(upcr_pts to, upcr_pts from, unsigned long n) {    \
    memcpy(upcr_local(to.addr), upcr_local(from.addr), n);                       \
    return result;                                                               \
  }                                                                              \
  UPCR_LIBRARY result_type get(void *to, upcr_pts from, unsigned long n) {       \
    memcpy(to, upcr_local(from.addr), n);                                        \
    return result;                                                               \
  }                                                                              \
  UPCR_LIBRARY result_type put(upcr_pts to, const void *from, unsigned long n) { \
    memcpy(upcr_local(to.addr), from, n);                                        \
    return result;                                                               \
  }                                                                              \
  UPCR_LIBRARY result_type set(upcr_pts to, int c, unsigned long n) {            \
    memset(upcr_local(to.addr), c, n);                                           \
    return result;                                                               \
  }
TRANSFERS(upc_memcpy_nb, upc_memget_nb, upc_memput_nb, upc_memset_nb, struct upcr_transfer *, NULL)
TRANSFERS(bupc_memcpy_async, bupc_memget_async, bupc_memput_async, bupc_memset_async,
          struct upcr_transfer *, NULL)
TRANSFERS(upc_memcpy_nbi, upc_memget_nbi, upc_memput_nbi, upc_memset_nbi, void, )
TRANSFERS(bupc_memcpy_asynci, bupc_memget_asynci, bupc_memput_asynci, bupc_memset_asynci, void, )

/* ---- Completion. That of a transfer is no fence, but the compiler must not move accesses over it
 * ---- */

UPCR_LIBRARY void upc_sync(struct upcr_transfer *handle) { check(handle, "upc_sync"); }
UPCR_LIBRARY int upc_sync_attempt(struct upcr_transfer *handle) {
  check(handle, "upc_sync_attempt");
  return 1;
}
UPCR_LIBRARY void upc_synci(void) {}
UPCR_LIBRARY int upc_synci_attempt(void) { return 1; }

UPCR_LIBRARY void bupc_waitsync(struct upcr_transfer *handle) { check(handle, "bupc_waitsync"); }
UPCR_LIBRARY int bupc_trysync(struct upcr_transfer *handle) {
  check(handle, "bupc_trysync");
  return 1;
}

static void check_all(struct upcr_transfer *const *handles, unsigned long n, const char *call) {
  for (unsigned long i = 0; i < n; i++) check(handles[i], call);
}
UPCR_LIBRARY void bupc_waitsync_all(struct upcr_transfer **handles, unsigned long n) {
  check_all(handles, n, "bupc_waitsync_all");
}
UPCR_LIBRARY void bupc_waitsync_some(struct upcr_transfer **handles, unsigned long n) {
  check_all(handles, n, "bupc_waitsync_some");
}
UPCR_LIBRARY int bupc_trysync_all(struct upcr_transfer **handles, unsigned long n) {
  check_all(handles, n, "bupc_trysync_all");
  return 1;
}
UPCR_LIBRARY int bupc_trysync_some(struct upcr_transfer **handles, unsigned long n) {
  check_all(handles, n, "bupc_trysync_some");
  return 1;
}
UPCR_LIBRARY void bupc_waitsynci(void) {}
UPCR_LIBRARY int bupc_trysynci(void) { return 1; }

/* ---- Regions: all transfers without handles in one get a common handle ---- */

static int in_region;

static void begin_region(const char *call) {
  if (in_region)
    upcr_fatal("thread %d: %s, but the region before has not ended", upcr_mythread, call);
  in_region = 1;
}
static struct upcr_transfer *end_region(const char *call) {
  if (!in_region) upcr_fatal("thread %d: %s, but no region has begun", upcr_mythread, call);
  in_region = 0;
  return NULL;
}
UPCR_LIBRARY void bupc_begin_accessregion(void) { begin_region("bupc_begin_accessregion"); }
UPCR_LIBRARY struct upcr_transfer *bupc_end_accessregion(void) {
  return end_region("bupc_end_accessregion");
}
UPCR_LIBRARY void bupc_begin_nbi_accessregion(void) { begin_region("bupc_begin_nbi_accessregion"); }
UPCR_LIBRARY struct upcr_transfer *bupc_end_nbi_accessregion(void) {
  return end_region("bupc_end_nbi_accessregion");
}

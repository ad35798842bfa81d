/* What the event decoder asks about the program under measurement. Only code that the UPC compiler at hand compiled
 * knows how its pointers-to-shared are laid out, so this file goes into the program's link as a source. The embedded
 * runtime brings these functions itself. */
#include <upc.h>
#include <upc_collective.h>

/* The functions below run inside of events; events of their own would never end. */
#pragma pupc off

int pgas_upc_mythread(void) { return MYTHREAD; }

int pgas_upc_threads(void) { return THREADS; }

/* `pts` is an event's argument `PTS *`: where a pointer-to-shared is stored. */
int pgas_upc_threadof(const void *pts) {
  shared const void *pointer = pts ? *(shared const void *const *)pts : 0;
  return pointer ? (int)upc_threadof((shared void *)pointer) : 0;
}

unsigned long pgas_upc_addrfield(const void *pts) {
  shared const void *pointer = pts ? *(shared const void *const *)pts : 0;
  return pointer ? (unsigned long)upc_addrfield((shared void *)pointer) : 0;
}

/* How the flags of a collective operation say how much is synchronised, where plain C has no header that tells. The
 * numbers are those of pgas_measure.h. */
int pgas_upc_sync_in(int flags) { return flags & UPC_IN_NOSYNC ? 0 : flags & UPC_IN_MYSYNC ? 1 : 2; }

int pgas_upc_sync_out(int flags) { return flags & UPC_OUT_NOSYNC ? 0 : flags & UPC_OUT_MYSYNC ? 1 : 2; }

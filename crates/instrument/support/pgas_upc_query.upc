/* What the event decoder asks about the program under measurement. Only code that the UPC compiler at hand compiled
 * knows how its pointers-to-shared are laid out, so this file goes into the program's link as a source. The embedded
 * runtime brings these functions itself. */
#include <upc.h>

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

/* A put in the recorder alone, called by hand: nanoseconds of CPU time.
 *
 *     direct BLOCKS CALLS
 */
#include <pgas_measure.h>
#include <stdlib.h>

#include "calls.h"

static void put(pgas_recorder *recorder) {
  pgas_enter_transfer_at(recorder, PGAS_MEMPUT, "direct.c", 1, 1, 64, 8);
  pgas_exit(recorder, PGAS_MEMPUT, NULL);
}

int main(int argc, char **argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 10, calls = argc > 2 ? atoi(argv[2]) : 1000;
  pgas_recorder *recorder = pgas_open(0, 1);

  if (!recorder) return 1;
  BEST_OF(blocks, calls, CLOCK_THREAD_CPUTIME_ID, "direct", 1, put(recorder));
  pgas_finish(recorder);
  return 0;
}

/* One of every event that GASP has. What one implementation reports in its own way, each line reports as the headers at
 * hand say: the recorded events are to be the same, or those that the test says. */
#include "program.h"
#include <upc_types.h>

/* Berkeley UPC has no event for a barrier. */
#ifdef GASP_UPC_BARRIER
#define BARRIER(line, named, value) BOTH(GASP_UPC_BARRIER, line, named, value)
#else
#define BARRIER(line, named, value) \
  (BOTH(GASP_UPC_NOTIFY, line, named, value), BOTH(GASP_UPC_WAIT, line, named, value))
#endif

int main(void) {
  pts zero = {0, 0x1000}, one = {1, 0x2000}, two = {2, 0x3000}, three = {3, 0x4000};
  int local;
  begin();
#ifdef GASP_BUPC_STATIC_SHARED
  gasp_event_notify(context, GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, "_STARTUP", 0, 0, (size_t)4, (size_t)16,
                    (void *)&zero, (void *)&local, (size_t)4, "array", "");
  START(GASP_C_FUNC, 1, "user_main"); /* what Berkeley UPC calls it */
#else
  START(GASP_C_FUNC, 1, "main");
#endif
  BOTH(GASP_C_MALLOC, 2, (size_t)100);
  BOTH(GASP_C_REALLOC, 3, (void *)&local, (size_t)200);
  BOTH(GASP_C_FREE, 4, (void *)&local);
  BOTH(GASP_UPC_NOTIFY, 5, 1, -7);
  BOTH(GASP_UPC_WAIT, 6, 0, 0);
  BARRIER(7, 1, 2000000000);
#ifdef GASP_UPC_FENCE
  BOTH(GASP_UPC_FENCE, 8);
#endif
#ifdef GASP_UPC_FORALL
  BOTH(GASP_UPC_FORALL, 9);
#endif
  START(GASP_UPC_GLOBAL_ALLOC, 10, (size_t)5, (size_t)1000);
  END(GASP_UPC_GLOBAL_ALLOC, 10, (size_t)5, (size_t)1000, (void *)&one);
  START(GASP_UPC_ALL_ALLOC, 11, (size_t)6, (size_t)0x100000000);
  END(GASP_UPC_ALL_ALLOC, 11, (size_t)6, (size_t)0x100000000, (void *)&one);
  START(GASP_UPC_ALLOC, 12, (size_t)64);
  END(GASP_UPC_ALLOC, 12, (size_t)64, (void *)&one);
  BOTH(GASP_UPC_FREE, 13, (void *)&one);
  START(GASP_UPC_GLOBAL_LOCK_ALLOC, 14);
  END(GASP_UPC_GLOBAL_LOCK_ALLOC, 14, (void *)&one);
  START(GASP_UPC_ALL_LOCK_ALLOC, 15);
  END(GASP_UPC_ALL_LOCK_ALLOC, 15, (void *)&one);
  BOTH(GASP_UPC_LOCK, 16, (void *)&one);
  BOTH(GASP_UPC_UNLOCK, 17, (void *)&one);
  START(GASP_UPC_LOCK_ATTEMPT, 18, (void *)&three);
  END(GASP_UPC_LOCK_ATTEMPT, 18, (void *)&three, 1);
  START(GASP_UPC_LOCK_ATTEMPT, 18, (void *)&three);
  END(GASP_UPC_LOCK_ATTEMPT, 18, (void *)&three, 0);
  START(GASP_UPC_LOCK_ATTEMPT, 18, (void *)&three);
  END(GASP_UPC_LOCK_ATTEMPT, 18, (void *)&three, 0);
  BOTH(GASP_UPC_LOCK_FREE, 19, (void *)&one);
  BOTH(GASP_UPC_MEMCPY, 20, (void *)&one, (void *)&three, (size_t)30);
  BOTH(GASP_UPC_MEMGET, 21, (void *)&local, (void *)&three, (size_t)31);
  /* Clang UPC passes for the destination where it is stored; whatever it is, it is nobody's to look at. */
  BOTH(GASP_UPC_MEMGET, 21, (void *)1, (void *)&three, (size_t)31);
  BOTH(GASP_UPC_MEMPUT, 22, (void *)&three, (void *)&local, (size_t)32);
  BOTH(GASP_UPC_MEMSET, 23, (void *)&zero, 5, (size_t)33);
  BOTH(GASP_UPC_GET, 24, 1, (void *)&local, (void *)&one, (size_t)4);
  BOTH(GASP_UPC_PUT, 25, 0, (void *)&three, (void *)&local, (size_t)8);
  BOTH(GASP_UPC_NB_GET_INIT, 26, 1, (void *)&local, (void *)&one, (size_t)5);
  BOTH(GASP_UPC_NB_PUT_INIT, 27, 0, (void *)&three, (void *)&local, (size_t)9);
  BOTH(GASP_UPC_NB_SYNC, 28, (void *)&local);
#ifdef GASP_BUPC_NB_MEMGET_INIT
  BOTH(GASP_BUPC_NB_MEMGET_INIT, 29, (void *)&local, (void *)&one, (size_t)6);
  BOTH(GASP_BUPC_NB_MEMPUT_INIT, 29, (void *)&three, (void *)&local, (size_t)7);
  BOTH(GASP_BUPC_NB_MEMCPY_INIT, 29, (void *)&one, (void *)&three, (size_t)8);
  BOTH(GASP_BUPC_NB_TRYSYNC, 29, (void *)&local);
#else
  BOTH(GASP_UPC_NB_GET_INIT, 29, 1, (void *)&local, (void *)&one, (size_t)6);
  BOTH(GASP_UPC_NB_PUT_INIT, 29, 1, (void *)&three, (void *)&local, (size_t)7);
  BOTH(GASP_UPC_MEMCPY, 29, (void *)&one, (void *)&three, (size_t)8);
  BOTH(GASP_UPC_NB_SYNC, 29, (void *)&local);
#endif
  BOTH(GASP_UPC_ALL_BROADCAST, 30, (void *)&zero, (void *)&two, (size_t)10, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
  BOTH(GASP_UPC_ALL_SCATTER, 31, (void *)&zero, (void *)&one, (size_t)11, UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
  BOTH(GASP_UPC_ALL_GATHER, 32, (void *)&two, (void *)&one, (size_t)12, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
  BOTH(GASP_UPC_ALL_GATHER, 32, (void *)&three, (void *)&one, (size_t)12, 0);
  BOTH(GASP_UPC_ALL_GATHER_ALL, 33, (void *)&two, (void *)&one, (size_t)13, 0);
  BOTH(GASP_UPC_ALL_EXCHANGE, 34, (void *)&two, (void *)&one, (size_t)14, 0);
  BOTH(GASP_UPC_ALL_PERMUTE, 35, (void *)&two, (void *)&one, (void *)&zero, (size_t)15, UPC_IN_NOSYNC);
  BOTH(GASP_UPC_ALL_REDUCE, 36, (void *)&one, (void *)&zero, UPC_ADD, (size_t)100, (size_t)25, NULL, UPC_IN_MYSYNC,
       (int)GASP_UPC_REDUCTION_D);
  BOTH(GASP_UPC_ALL_PREFIX_REDUCE, 37, (void *)&one, (void *)&zero, UPC_ADD, (size_t)100, (size_t)25, NULL,
       UPC_OUT_NOSYNC, (int)GASP_UPC_REDUCTION_US);
  unsigned event = gasp_create_event(context, "phase", "%d");
  unsigned other = gasp_create_event(context, "mark", NULL);
  if (gasp_create_event(context, "phase", "%d") != event || event == other) return 3;
  /* The last number that an event of the program may have; nobody has created it. */
  ATOMIC(GASP_UPC_USEREVT_END, 44, 5);
  START(event, 40, 5);
  ATOMIC(other, 41, 5);
  END(event, 42, 5);
  START(99999, 43, 5); /* of no known meaning */
  END(99999, 43, 5);
#ifdef GASP_BUPC_STATIC_SHARED
  END(GASP_C_FUNC, 50, "user_main");
#else
  END(GASP_C_FUNC, 50, "main");
#endif
  START(GASP_UPC_COLLECTIVE_EXIT, 0, 3);
  BARRIER(0, 0, 0);
  END(GASP_UPC_COLLECTIVE_EXIT, 0, 3);
  call(); /* after the end: not recorded */
  return 0;
}

/* Events around Berkeley UPC's semaphores. */
#include "inst.h"
#include "pgas_upcr_calls.h"

extern void bupc_sem_post(upcr_pts), bupc_sem_postN(upcr_pts, size_t);
extern void bupc_sem_wait(upcr_pts), bupc_sem_waitN(upcr_pts, size_t);
extern int bupc_sem_try(upcr_pts), bupc_sem_tryN(upcr_pts, size_t);

#define AT const char *file, int line

void upcr_i_bupc_sem_post(upcr_pts s, AT) {
  UPCR_REPORTED(bupc_sem_post(s), GASP_UPC_POST, (void *)&s, (size_t)1);
}
void upcr_i_bupc_sem_postN(upcr_pts s, size_t n, AT) {
  UPCR_REPORTED(bupc_sem_postN(s, n), GASP_UPC_POST, (void *)&s, n);
}

void upcr_i_bupc_sem_wait(upcr_pts s, AT) {
  UPCR_REPORTED(bupc_sem_wait(s), GASP_UPC_EVENT_WAIT, (void *)&s, (size_t)1);
}
void upcr_i_bupc_sem_waitN(upcr_pts s, size_t n, AT) {
  UPCR_REPORTED(bupc_sem_waitN(s, n), GASP_UPC_EVENT_WAIT, (void *)&s, n);
}

/* An attempt takes no time. One that fails has taken nothing, and may be one of millions. */
static int attempted(int taken, upcr_pts s, size_t n, AT) {
  if (taken) upcr_event(GASP_UPC_EVENT_WAIT, GASP_ATOMIC, file, line, (void *)&s, n);
  return taken;
}
int upcr_i_bupc_sem_try(upcr_pts s, AT) { return attempted(bupc_sem_try(s), s, 1, file, line); }
int upcr_i_bupc_sem_tryN(upcr_pts s, size_t n, AT) {
  return attempted(bupc_sem_tryN(s, n), s, n, file, line);
}

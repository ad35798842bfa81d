/* A signal handler that is instrumented interrupts the program, and the recorder, at any place. */
#include "program.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;

static void handle(int signal) {
  (void)signal;
  START(GASP_C_FUNC, 30, "handle");
  END(GASP_C_FUNC, 31, "handle");
  handled++;
}

int main(void) {
  begin();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  START(GASP_C_FUNC, 1, "main");
  setitimer(ITIMER_REAL, &often, NULL);
  long calls = 0;
  for (; calls < 100000 || handled < 200; calls++) call();
  setitimer(ITIMER_REAL, &never, NULL);
  END(GASP_C_FUNC, 2, "main");
  printf("%ld\n", calls);
  return 0;
}

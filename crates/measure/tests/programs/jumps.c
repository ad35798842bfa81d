/* A handler of signals leaves by siglongjmp whatever it has interrupted: mostly the recorder. argv[1] is "marked" where setjmp is
 * announced to it, as the embedded compiler does, and "plain" where it is not. Prints how many calls and accesses came to their ends,
 * and how many jumps there were. */
#include "program.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

void pgas_mark(gasp_context_t, long place[4]);
void pgas_return(gasp_context_t, const long place[4]);

static sigjmp_buf place;
static volatile sig_atomic_t may_jump;

static void handle(int signal) {
  (void)signal;
  if (!may_jump) return;
  may_jump = 0;
  siglongjmp(place, 1);
}

int main(int argc, char **argv) {
  static volatile long calls, accesses, jumps;
  int is_marked = argc > 1 && !strcmp(argv[1], "marked");
  begin();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  START(GASP_C_FUNC, 1, "main");
  setitimer(ITIMER_REAL, &often, NULL);
  long mark[4];
  if (is_marked) pgas_mark(context, mark);
  if (sigsetjmp(place, 1)) jumps++;
  if (is_marked) pgas_return(context, mark);
  while (calls < 100000 || jumps < 200) {
    may_jump = 1;
    call();
    may_jump = 0;
    calls++;
    pts shared = {1, 64 * (calls % 7)};
    may_jump = 1;
    BOTH(GASP_UPC_GET, 20 + (int)(calls % 3), 1, NULL, &shared, (size_t)(8 << calls % 2));
    may_jump = 0;
    accesses++;
  }
  setitimer(ITIMER_REAL, &never, NULL);
  START(GASP_C_FUNC, 30, "after");
  END(GASP_C_FUNC, 31, "after");
  END(GASP_C_FUNC, 2, "main");
  printf("%ld %ld %ld\n", calls, accesses, jumps);
  return 0;
}

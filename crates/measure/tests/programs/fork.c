/* A child that goes on like its parent, ends by exit, and must not write into the parent's stream. */
#define _GNU_SOURCE
#include "program.h"
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  (void)argv;
  begin();
  START(GASP_C_FUNC, 1, "main");
  for (int i = 0; i < 1000; i++) call();
  /* with any argument: without the handlers that fork runs */
  pid_t child = argc > 1 ? (pid_t)syscall(SYS_fork) : fork();
  for (int i = 0; i < 50000; i++) call();
  if (child == 0) {
    if (argc > 1) exit(5);
    gasp_context_t again = gasp_init(GASP_MODEL_UPC, NULL, NULL); /* not for the child either */
    gasp_event_notify(again, GASP_C_FUNC, GASP_START, "test.upc", 9, 0, "child");
    exit(5);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5) return 1;
  END(GASP_C_FUNC, 2, "main");
  return 0;
}

/* A child that goes on like its parent, ends by exit, and must not write into the parent's stream. */
#include "program.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  begin();
  START(GASP_C_FUNC, 1, "main");
  for (int i = 0; i < 1000; i++) call();
  pid_t child = fork();
  for (int i = 0; i < 50000; i++) call();
  if (child == 0) {
    gasp_context_t again = gasp_init(GASP_MODEL_UPC, NULL, NULL); /* not for the child either */
    gasp_event_notify(again, GASP_C_FUNC, GASP_START, "test.upc", 9, 0, "child");
    exit(5);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5) return 1;
  END(GASP_C_FUNC, 2, "main");
  return 0;
}

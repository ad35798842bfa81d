/* Closes descriptors that it does not know, and opens files of its own under their numbers. */
#include "program.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  (void)argc;
  begin();
  START(GASP_C_FUNC, 1, "main");
  for (int i = 0; i < 100000; i++) call();
  for (int i = 3; i < 1024; i++) close(i);
  for (int i = 3; i < 400; i++) {
    int file = open(argv[1], O_WRONLY | O_CREAT, 0666);
    if (file != i) return 1;
  }
  if (write(300, "result 42\n", 10) != 10) return 2;
  for (int i = 0; i < 100000; i++) call();
  END(GASP_C_FUNC, 2, "main");
  return 0;
}

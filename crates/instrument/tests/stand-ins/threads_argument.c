/* Gives programs of the embedded runtime the way of GNU's and Clang's: `-n N` before the program's own arguments is the
 * number of threads. Linked with --wrap=upcr_user_main. */
#pragma pupc off
#include <stdlib.h>
#include <string.h>

static int is_given(int argc, char **argv) { return argc > 2 && strcmp(argv[1], "-n") == 0; }

/* Before main, in which the embedded runtime reads the number. */
__attribute__((constructor)) static void take(int argc, char **argv) {
  if (is_given(argc, argv)) setenv("PGAS_THREADS", argv[2], 1);
}

int __real_upcr_user_main(int argc, char **argv);

int __wrap_upcr_user_main(int argc, char **argv) {
  if (is_given(argc, argv)) {
    argv[2] = argv[0];
    argc -= 2, argv += 2;
  }
  return __real_upcr_user_main(argc, argv);
}

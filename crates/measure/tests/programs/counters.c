/* Functions that touch a known number of fresh pages: each costs one page fault. argv[1] says how it is done, argv[2] how
 * often. */
#include "program.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static void touch(int pages) {
  char *fresh = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(fresh, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
  for (int page = 0; page < pages; page++) fresh[(size_t)page * PAGE] = 1;
  munmap(fresh, (size_t)pages * PAGE);
}

/* 100 pages. */
static void inner(void) {
  START(GASP_C_FUNC, 10, "inner");
  touch(100);
  END(GASP_C_FUNC, 10, "inner");
}

/* 300 pages of its own, 200 in functions that it calls, and 50 in a barrier. */
static void outer(void) {
  START(GASP_C_FUNC, 20, "outer");
  touch(250);
  inner();
  inner();
  START(GASP_UPC_BARRIER, 21, 0, 0);
  touch(50);
  END(GASP_UPC_BARRIER, 21, 0, 0);
  touch(50);
  END(GASP_C_FUNC, 20, "outer");
}

static void tiny(void) {
  START(GASP_C_FUNC, 30, "tiny");
  END(GASP_C_FUNC, 30, "tiny");
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  int n = argc > 2 ? atoi(argv[2]) : 1;
  begin();
  START(GASP_C_FUNC, 1, "main");
  if (!strcmp(what, "touch")) {
    for (int i = 0; i < n; i++) outer();
  } else if (!strcmp(what, "off")) {
    inner();
    gasp_control(context, 0);
    outer();
    gasp_control(context, 1);
    inner();
  } else if (!strcmp(what, "tiny")) {
    for (int i = 0; i < n; i++) tiny();
    outer();
  } else if (!strcmp(what, "jump")) {
    for (int i = 0; i < n; i++) {
      START(GASP_C_FUNC, 40, "catcher");
      START(GASP_C_FUNC, 41, "thrower");
      touch(100);
      END(GASP_C_FUNC, 40, "catcher");
    }
  } else if (!strcmp(what, "close")) {
    /* A program that closes what it does not know, and has a file of its own there. */
    inner();
    for (int descriptor = 3; descriptor < 300; descriptor++) {
      close(descriptor);
    }
    int zero = open("/dev/zero", O_RDONLY);
    for (int descriptor = 200; descriptor < 300; descriptor++) dup2(zero, descriptor);
    inner();
    lseek(zero, 0, SEEK_SET);
    puts("done");
  } else if (!strcmp(what, "kill")) {
    for (;;) {
      outer();
      usleep(1000);
    }
  }
  END(GASP_C_FUNC, 2, "main");
  return 0;
}

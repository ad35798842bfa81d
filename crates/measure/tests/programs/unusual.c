/* Calls that do not simply nest: longjmp out of them, ends without a start, switching the recording off and on, and
 * recursion deeper than a buffer. */
#include "program.h"
#include <string.h>

static void recurse(int depth) {
  START(GASP_C_FUNC, 20, "recurse");
  if (depth > 1) recurse(depth - 1);
  END(GASP_C_FUNC, 21, "recurse");
}

int main(int argc, char **argv) {
  begin();
  START(GASP_C_FUNC, 1, "main");
  if (argc > 1) {
    recurse(atoi(argv[1]));
    return 0;
  }
  /* longjmp: inner regions are never left */
  START(GASP_C_FUNC, 2, "target");
  START(GASP_C_FUNC, 3, "jumper");
  START(GASP_UPC_BARRIER, 4, 0, 0);
  char copy[] = "target"; /* a name with the same text at another address */
  END(GASP_C_FUNC, 2, copy);
  /* ends of what never began */
  END(GASP_C_FUNC, 5, "nobody");
  END(GASP_UPC_LOCK, 5, (void *)copy);
  /* off: nothing is recorded, but what was open is left in time, and what is open at the end of the pause is entered */
  START(GASP_C_FUNC, 6, "before");
  if (gasp_control(context, 0) != 1 || gasp_control(context, 0) != 0) return 1;
  call();
  END(GASP_C_FUNC, 6, "before");
  START(GASP_C_FUNC, 9, "during");
  call();
  if (gasp_control(context, 1) != 0 || gasp_control(context, 1) != 1) return 2;
  call();
  END(GASP_C_FUNC, 9, "during");
  END(GASP_C_FUNC, 1, "main");
  return 0;
}

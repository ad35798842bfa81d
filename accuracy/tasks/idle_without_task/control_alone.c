/* Each processor has one task, of a different length: the others are idle, and nothing waits for a processor. */
// threads: 4 2
#include "../mapping.h"

static int slots(void) { return 1; }

static double work_of(int processor, int slot)
{
    (void)slot;
    return 10 + 15.0 * processor;
}

static void plan_all(void) {}

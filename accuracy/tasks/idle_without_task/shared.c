/* Both tasks with much work are mapped to processor 1. Processor 0 is idle first, and could run the second one. */
// threads: 4 2
#include "../mapping.h"

static int slots(void) { return 2; }

static double work_of(int processor, int slot)
{
    if (processor == 1)
        return 60;
    return slot == 0 ? 3 + 6.0 * processor : 0.5;
}

/* Processor 0 is idle when it has worked for 3.5 ms. */
static void plan_all(void) { plan(IDLE_WITHOUT_TASK, 56); }

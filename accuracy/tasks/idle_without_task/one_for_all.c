/* Three tasks with much work are mapped to processor 1: first two of the others could help, then one. */
// threads: 4 2
#include "../mapping.h"

static int slots(void) { return 3; }

static double work_of(int processor, int slot)
{
    if (processor == 1)
        return 40;
    return slot == 0 ? 3 + 6.0 * processor : 0.5;
}

/* Processor 0 could run one all the time, and processor 2, from the 16th millisecond on, another one until the 40th. */
static void plan_all(void) { plan(IDLE_WITHOUT_TASK, 75 + (processors > 2 ? 23 : 0)); }

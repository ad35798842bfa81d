/* Two tasks of a different length on each processor: those that are done could run what waits elsewhere. */
// threads: 4 2
#include "../mapping.h"

static int slots(void) { return 2; }

static double work_of(int processor, int slot)
{
    return slot == 0 ? 6 + 18.0 * processor : 2;
}

/* Each second task but that of processor 0 waits for a processor, while as many others as that are idle. */
static void plan_all(void) { plan(IDLE_WITHOUT_TASK, processors == 2 ? 15 : 60); }

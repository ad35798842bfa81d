/* Workers that need different times for their pieces; the main task wants a piece of each, in their order. */
// threads: 4 2
#include "../truth.h"

static struct channel channels[MOST_PROCESSORS];

static void worker(void *arguments)
{
    int me = *(int *)arguments, round;

    for (round = 0; round < ROUNDS; round++) {
        work(10.0 * me);
        SEND(&channels[me], me);
    }
    pgas_output_delete(channels[me].output);
}

static void begin(void *arguments)
{
    int me, round;

    (void)arguments;
    for (me = 1; me < processors; me++)
        open_channel(&channels[me], -1);
    for (me = 1; me < processors; me++)
        pgas_task_create(worker, &me, sizeof me);
    for (round = 0; round < ROUNDS; round++)
        for (me = 1; me < processors; me++)
            RECEIVE(&channels[me], 0);
    for (me = 1; me < processors; me++)
        pgas_input_delete(channels[me].input);
    /* It does nothing but to wait for the slowest worker. */
    plan(LATE_PRODUCER, ROUNDS * 10.0 * (processors - 1));
}

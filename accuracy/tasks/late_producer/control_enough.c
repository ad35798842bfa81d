/* The first stage is the fastest: its messages are there when they are wanted. */
// threads: 4 2
#include "../truth.h"

static struct channel channels[MOST_PROCESSORS];

static void stage(void *arguments)
{
    int me = *(int *)arguments, round;

    /* Each stage begins when the first messages are there for it. */
    work(20.0 * me);
    for (round = 0; round < ROUNDS; round++) {
        if (me > 0)
            RECEIVE(&channels[me], me);
        work(4 + 2.0 * me);
        if (me < processors - 1)
            SEND(&channels[me + 1], me);
    }
    if (me > 0)
        pgas_input_delete(channels[me].input);
    if (me < processors - 1)
        pgas_output_delete(channels[me + 1].output);
}

static void begin(void *arguments)
{
    int first = 0, me;

    (void)arguments;
    for (me = 1; me < processors; me++)
        open_channel(&channels[me], -1);
    for (me = 1; me < processors; me++)
        pgas_task_create(stage, &me, sizeof me);
    stage(&first);
}

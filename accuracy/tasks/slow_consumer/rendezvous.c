/* Messages are handed over: a sender waits until its message is received, by a stage that needs longer than it. */
// threads: 4 2
#include "../truth.h"

static struct channel channels[MOST_PROCESSORS];

static double time_of(int me) { return 4 + 6.0 * me; }

static void stage(void *arguments)
{
    int me = *(int *)arguments, round;

    for (round = 0; round < ROUNDS; round++) {
        if (me > 0)
            RECEIVE(&channels[me], me);
        work(time_of(me));
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
    double times[MOST_PROCESSORS];
    int first = 0, me;

    (void)arguments;
    for (me = 1; me < processors; me++)
        open_channel(&channels[me], 0);
    for (me = 1; me < processors; me++)
        pgas_task_create(stage, &me, sizeof me);
    for (me = 0; me < processors; me++)
        times[me] = time_of(me);
    plan_pipeline(times, 0);
    stage(&first);
}

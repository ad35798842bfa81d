/* The main task asks a worker and waits for its answer, one worker after another: all of them wait as well. */
// threads: 4 2
#include "../truth.h"

static struct channel requests[MOST_PROCESSORS], answers[MOST_PROCESSORS];

static void worker(void *arguments)
{
    int me = *(int *)arguments, round;

    for (round = 0; round < ROUNDS; round++) {
        RECEIVE(&requests[me], me);
        work(8);
        SEND(&answers[me], me);
    }
    pgas_input_delete(requests[me].input);
    pgas_output_delete(answers[me].output);
}

static void begin(void *arguments)
{
    int me, round;

    (void)arguments;
    for (me = 1; me < processors; me++) {
        open_channel(&requests[me], -1);
        open_channel(&answers[me], -1);
    }
    for (me = 1; me < processors; me++)
        pgas_task_create(worker, &me, sizeof me);
    for (round = 0; round < ROUNDS; round++) {
        for (me = 1; me < processors; me++) {
            work(4);
            SEND(&requests[me], 0);
            RECEIVE(&answers[me], 0);
        }
    }
    for (me = 1; me < processors; me++) {
        /* The main task waits while a worker works, and that one until its last request, but for its work before. */
        plan(LATE_PRODUCER, ROUNDS * 8.0);
        plan(LATE_PRODUCER, 12.0 * ((ROUNDS - 1) * (processors - 1) + me - 1) + 4 - 8.0 * (ROUNDS - 1));
        pgas_output_delete(requests[me].output);
        pgas_input_delete(answers[me].input);
    }
}

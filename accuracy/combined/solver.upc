/*
 * As programs are built: functions that exchange, reduce and synchronise, called from a time step, with an
 * imbalance that moves from thread to thread.
 */
// threads: 4 2 12
#include "../truth.h"

enum { IN_HALO = 1, IN_TRANSPOSE, IN_NORM, IN_STEP };
static const char *const paths[] = {"",     "main/step/halo", "main/step/transpose", "main/step/norm/reduce_all",
                                    "main/step", NULL};

static void halo(int round)
{
    place = IN_HALO;
    work(MYTHREAD == round % THREADS ? 15 : 5);
    NOTIFY;
    work(MYTHREAD == round % THREADS ? 1 : 5);
    WAIT;
}

static void transpose(int round)
{
    place = IN_TRANSPOSE;
    work(MYTHREAD == (round + 1) % THREADS ? 15 : 5);
    EXCHANGE(IN_MY | OUT_MY);
}

static void reduce_all(void)
{
    REDUCE(0, IN_MY | OUT_ALL);
    BROADCAST(0, IN_MY | OUT_MY);
}

static void norm(void)
{
    place = IN_NORM;
    work(MYTHREAD == 0 ? 5 : 15);
    reduce_all();
}

static void step(int round)
{
    halo(round);
    place = IN_STEP;
    BARRIER;
    transpose(round);
    norm();
    work(MYTHREAD == (round + 2) % THREADS ? 17 : 5);
    place = IN_STEP;
    BARRIER;
}

int main(void)
{
    int round;

    place_names = paths;
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        step(round);
    }
    place = 0;
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    plan(SPLIT_PHASE_WAIT, ROUNDS * 5 * (THREADS - 1));
    plan(WAIT_AT_NXN, ROUNDS * 10 * (THREADS - 1));
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 10);
    FINISH;
    return 0;
}

/*
 * Tasks that only work, several on each processor: a table says for how long. The main task ends at once.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include "truth.h"

/* A task: its processor, and its number among those of the processor. */
struct place {
    int processor, slot;
};

static double work_of(int processor, int slot); /* milliseconds */
static int slots(void);
static void plan_all(void);

static double run_begin, created[MOST], first_start[MOST_PROCESSORS];

static void worker(void *arguments)
{
    const struct place *place = arguments;
    int processor = place->processor, slot = place->slot;
    double start = now();
    struct stretch *own;

    if (slot == 0) {
        first_start[processor] = start;
        /* Until its first task begins, a processor has none, too. */
        own = &idle[processors + processor];
        own->processor = processor;
        own->begin = processor == 0 ? start : run_begin;
        own->end = start;
    } else {
        own = &ready[slot * processors + processor];
        own->processor = processor;
        own->begin = created[slot * processors + processor];
        if (own->begin < first_start[processor])
            own->begin = first_start[processor];
        own->end = start;
    }
    work(work_of(processor, slot));
    if (slot == slots() - 1) {
        own = &idle[processor];
        own->processor = processor;
        own->begin = now();
        own->end = own->begin + 1000;
    }
}

static void begin(void *arguments)
{
    int slot, p;

    (void)arguments;
    readies = processors * slots();
    idles = 2 * processors;
    run_begin = now();
    for (slot = 0; slot < slots(); slot++) {
        for (p = 1; p <= processors; p++) {
            struct place place = {p % processors, slot};

            created[slot * processors + place.processor] = now();
            pgas_task_create(worker, &place, sizeof place);
        }
    }
    plan_all();
}

#endif

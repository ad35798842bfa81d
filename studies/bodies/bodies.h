/*
 * Bodies that attract each other, on several nodes: the common part of both versions. Each thread has BODIES bodies, and
 * adds up in each step how those of all other threads pull a body in the origin.
 *
 * Verification. The bodies of a thread lie on a circle round the origin, evenly, and pull a body in the origin in no
 * direction; the sum of their distances from it is known.
 */
#ifndef BODIES_H
#define BODIES_H

#include <upc_relaxed.h>

#include "../common/study.h"

#if NPB_CLASS == NPB_CLASS_S
#define STEPS 20
#elif NPB_CLASS == NPB_CLASS_W
#define STEPS 1000
#else
#define STEPS 10000
#endif

#define BODIES 2000

/* A body of mass 1 on a plane. */
typedef struct body {
    double x, y;
    double speed_x, speed_y;
} body_t;

static shared [BODIES] body_t bodies[BODIES * THREADS];
static shared double seconds[THREADS];
static shared int good[THREADS];

/* The pull of some bodies on one in the origin, and the sum of their distances from it. */
typedef struct pull {
    double x, y;
    double distances;
} pull_t;

/* The radius of the circle of a thread's bodies. */
static inline double radius_of(int thread)
{
    return 1 + thread;
}

static inline void place_bodies(void)
{
    body_t *own = (body_t *)&bodies[MYTHREAD * BODIES];
    int i;

    for (i = 0; i < BODIES; i++) {
        double angle = 2 * acos(-1) * i / BODIES;

        own[i].x = radius_of(MYTHREAD) * cos(angle);
        own[i].y = radius_of(MYTHREAD) * sin(angle);
        own[i].speed_x = own[i].speed_y = 0;
    }
}

static inline void add_pull(pull_t *pull, const body_t *body)
{
    double distance = sqrt(body->x * body->x + body->y * body->y);
    double cubed = distance * distance * distance;

    pull->x += body->x / cubed;
    pull->y += body->y / cubed;
    pull->distances += distance;
}

/* Whether a sum of all steps is that of circles. */
static inline int is_right(const pull_t *pull)
{
    double expected = 0;
    int other;

    for (other = 0; other < THREADS; other++)
        if (other != MYTHREAD)
            expected += (double)STEPS * BODIES * radius_of(other);
    return fabs(pull->x) < 1e-6 && fabs(pull->y) < 1e-6 && fabs(pull->distances - expected) <= 1e-9 * expected;
}

/* Compares results and prints them; returns the exit status. */
static inline int finish(const pull_t *pull, double own_seconds)
{
    double longest = 0;
    int thread, all_good = 1;

    seconds[MYTHREAD] = own_seconds;
    good[MYTHREAD] = is_right(pull);
    if (!good[MYTHREAD])
        printf(" thread %d: pull (%g, %g), distances %.17g\n", MYTHREAD, pull->x, pull->y, pull->distances);
    upc_barrier;
    for (thread = 0; thread < THREADS; thread++) {
        longest = fmax(longest, seconds[thread]);
        all_good &= good[thread];
    }
    return study_finish("bodies", longest, all_good);
}

#endif

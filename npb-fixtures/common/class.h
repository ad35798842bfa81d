/*
 * The class of a problem, chosen by a bare letter, -DCLASS=W, without one S; and the time. In plain C, for programs of any
 * model.
 */
#ifndef CLASS_H
#define CLASS_H

#include <time.h>

#ifndef CLASS
#define CLASS S
#endif

/* A macro cannot be compared with a letter, but it can become part of a name: #if NPB_CLASS == NPB_CLASS_W. */
#define NPB_CLASS_S 1
#define NPB_CLASS_W 2
#define NPB_CLASS_A 3
#define NPB_CLASS_B 4
#define NPB_JOIN_(a, b) a##b
#define NPB_JOIN(a, b) NPB_JOIN_(a, b)
#define NPB_STRING_(a) #a
#define NPB_STRING(a) NPB_STRING_(a)
#define NPB_CLASS NPB_JOIN(NPB_CLASS_, CLASS)
#define NPB_CLASS_NAME NPB_STRING(CLASS)

#if NPB_CLASS < NPB_CLASS_S || NPB_CLASS > NPB_CLASS_B
#error "unknown class: compile with -DCLASS=S, W, A or B"
#endif

/* Seconds since some time in the past. */
static inline double npb_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

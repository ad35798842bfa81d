/*
 * What the programs of the studies have in common: the choice of a class, the share of a thread and the time
 * (npb-fixtures/common/npb.h has these), and the lines that a run ends with.
 */
#ifndef STUDY_H
#define STUDY_H

#include "../../npb-fixtures/common/npb.h"

#if NPB_CLASS > NPB_CLASS_A
#error "unknown class: compile with -DCLASS=S, W or A"
#endif

/* Thread 0 prints what a run gave, `seconds` being the time of the slowest thread. Returns the exit status. */
static inline int study_finish(const char *program, double seconds, int successful)
{
    if (MYTHREAD == 0) {
        printf(" %s, class %s, %d threads\n", program, NPB_CLASS_NAME, THREADS);
        printf(" time = %.6f s\n", seconds);
        printf(" Verification = %s\n", successful ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    return successful ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

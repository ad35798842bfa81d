/*
 * What the kernels EP, CG, FT and MG have in common: the choice of a class and time (class.h), private memory, the share
 * of a thread, and the lines that a run ends with.
 */
#ifndef NPB_H
#define NPB_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <upc.h>

#include "class.h"

/* Private memory, zeroed; ends the program if there is none. */
static inline void *npb_allocate(size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);

    if (memory == NULL) {
        fprintf(stderr, "thread %d: no memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(2);
    }
    return memory;
}

/*
 * The first of `items` things that is dealt to a thread, if all get about as many, in order; for `thread` == THREADS
 * their number. A macro, since it is used in loops, and a function would be recorded each time.
 */
#define NPB_FIRST_OF(items, thread) ((int)((long)(items) * (thread) / THREADS))

static inline void npb_print_start(const char *kernel, const char *size)
{
    if (MYTHREAD == 0) {
        printf("\n NAS Parallel Benchmarks in UPC - %s\n\n", kernel);
        printf(" Size: %s (class %s)\n Threads: %d\n\n", size, NPB_CLASS_NAME, THREADS);
    }
}

/* Says whether a value is the published one, up to a relative error; false for NaN too. Thread 0 prints it. */
static inline int npb_check(const char *what, double found, double expected, double tolerance)
{
    int good = fabs(found - expected) <= tolerance * fabs(expected);

    if (MYTHREAD == 0) {
        if (good)
            printf(" %s: %.12e\n", what, found);
        else
            printf(" %s: %.15e, expected is %.15e within %.0e of it\n", what, found, expected, tolerance);
    }
    return good;
}

/* Prints the results; `operations` is what the benchmark's definition counts in the timed part. Returns the exit status. */
static inline int npb_finish(const char *kernel, const char *size, int iterations, double seconds, double operations,
                             const char *operation_type, int successful)
{
    double mops = 1e-6 * operations / seconds;

    if (MYTHREAD == 0) {
        printf("\n %s completed\n", kernel);
        printf("           Class = %s\n", NPB_CLASS_NAME);
        printf("            Size = %s\n", size);
        printf("      Iterations = %d\n", iterations);
        printf("         Threads = %d\n", THREADS);
        printf(" Time in seconds = %.4f\n", seconds);
        printf("     Mop/s total = %.2f\n", mops);
        printf("    Mop/s/thread = %.2f\n", mops / THREADS);
        printf("  Operation type = %s\n", operation_type);
        printf("    Verification = %s\n", successful ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    return successful ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

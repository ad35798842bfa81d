/*
 * How the test programs check: CHECK counts and reports on each thread, finish() adds up over threads, lets thread 0
 * print OK if nothing failed, and returns the exit status.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failed;
static shared int check_failed_of[THREADS];

#define CHECK(condition)                                                                                 \
    ((condition) ? (void)0                                                                               \
                 : (check_failed++ < 10 ? (void)printf("%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, \
                                                       MYTHREAD, THREADS, #condition)                    \
                                        : (void)0))

#define CHECK_EQUAL(found, expected)                                                                    \
    do {                                                                                                \
        long long found_ = (long long)(found), expected_ = (long long)(expected);                       \
        if (found_ != expected_ && check_failed++ < 10)                                                 \
            printf("%s:%d: thread %d of %d: %s is %lld, expected %lld\n", __FILE__, __LINE__, MYTHREAD, \
                   THREADS, #found, found_, expected_);                                                 \
    } while (0)

static int finish(void)
{
    int thread, sum = 0;

    check_failed_of[MYTHREAD] = check_failed;
    upc_barrier;
    for (thread = 0; thread < THREADS; thread++)
        sum += check_failed_of[thread];
    if (MYTHREAD == 0 && sum == 0)
        printf("OK\n");
    return sum != 0;
}

#endif

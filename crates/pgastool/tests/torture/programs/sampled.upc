/* Does what gets in the way of a recorder that samples, one thing after another or the one that is named. What it prints does not
 * depend on time, and is checked against a run without recording. Arguments: the rounds of each part, a shared library, and names
 * of parts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <upc_relaxed.h>

#define ELEMENTS 1000

static shared long numbers[ELEMENTS * THREADS];
static volatile sig_atomic_t alarms, profiles, virtuals, queued, on_own_stack;
static sigjmp_buf out;
static volatile sig_atomic_t may_jump;
static char own_stack[1 << 16];
static const char *library;

static void on_alarm(int signal)
{
    (void)signal;
    alarms++;
    if (may_jump) {
        may_jump = 0;
        siglongjmp(out, 1);
    }
}

static void on_profile(int signal) { (void)signal; profiles++; }
static void on_virtual(int signal) { (void)signal; virtuals++; }
static void on_queued(int signal) { (void)signal; queued++; }

static void on_usr1(int signal)
{
    char here;
    (void)signal;
    on_own_stack = &here >= own_stack && &here < own_stack + sizeof own_stack;
}

static void handle(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, NULL) != 0) abort();
}

/* Computes with private and shared numbers. */
static long work(int rounds)
{
    long sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < ELEMENTS; i++)
            numbers[(long)i * THREADS + MYTHREAD] = i ^ r;
        for (int i = 0; i < ELEMENTS; i++)
            sum += numbers[(long)i * THREADS + MYTHREAD] * 3;
    }
    return sum;
}

static void set_timer(int which, long microseconds)
{
    struct itimerval every = {{0, microseconds}, {0, microseconds}};
    if (setitimer(which, &every, NULL) != 0) abort();
}

/* Three interval timers and one of POSIX, all at once. */
static long timers(int rounds)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    struct itimerspec every = {{0, 700000}, {0, 700000}};
    long sum = 0;
    handle(SIGALRM, on_alarm, SA_RESTART);
    handle(SIGPROF, on_profile, SA_RESTART);
    handle(SIGVTALRM, on_virtual, SA_RESTART);
    handle(SIGRTMIN + 3, on_queued, SA_RESTART);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) abort();
    timer_settime(timer, 0, &every, NULL);
    set_timer(ITIMER_REAL, 900);
    set_timer(ITIMER_PROF, 1100);
    set_timer(ITIMER_VIRTUAL, 1300);
    for (int tries = 0; tries < 10000; tries++) {
        sum = work(rounds);
        if (alarms && profiles && virtuals && queued) break;
    }
    set_timer(ITIMER_REAL, 0);
    set_timer(ITIMER_PROF, 0);
    set_timer(ITIMER_VIRTUAL, 0);
    timer_delete(timer);
    return sum + (alarms > 0) + (profiles > 0) + (virtuals > 0) + (queued > 0);
}

/* Jumps out of a handler, in the middle of a loop. */
static long jumps(int rounds)
{
    volatile int jumped = 0;
    handle(SIGALRM, on_alarm, SA_RESTART);
    for (volatile int n = 0; n < 5; n++) {
        if (sigsetjmp(out, 1) == 0) {
            may_jump = 1;
            set_timer(ITIMER_REAL, 2000);
            for (;;) work(rounds);
        }
        set_timer(ITIMER_REAL, 0);
        jumped++;
    }
    return jumped;
}

/* Children that compute, and one that becomes another program. */
static long forks(int rounds)
{
    long sum = 0;
    for (int n = 0; n < 6; n++) {
        int status, ends[2];
        if (pipe(ends) != 0) abort();
        pid_t child = fork();
        if (child < 0) abort();
        if (child == 0) {
            if (n % 3 == 2) {
                dup2(ends[1], 1);
                execlp("echo", "echo", "12345678", (char *)NULL);
                _exit(9);
            }
            double x = 1;
            for (int i = 0; i < 2000 * rounds; i++) x = x * 1.0000001 + 0.5;
            if (write(ends[1], x > 1 ? "computed" : "nothing?", 8) != 8) _exit(8);
            _exit(3);
        }
        char text[9] = "";
        for (int got = 0; got < 8;) {
            long more = read(ends[0], text + got, 8 - (size_t)got);
            if (more <= 0) abort();
            got += (int)more;
        }
        close(ends[0]);
        close(ends[1]);
        work(rounds);
        if (waitpid(child, &status, 0) != child) abort();
        sum = sum * 31 + WEXITSTATUS(status) + text[7];
    }
    return sum;
}

static void *other(void *rounds)
{
    double x = 1;
    for (int i = 0; i < 500 * (int)(intptr_t)rounds; i++) x = x * 1.0000001 + 0.5;
    return x > 1 ? rounds : NULL;
}

/* Threads that hardly begin before they end. */
static long threads(int rounds)
{
    long ended = 0;
    for (int n = 0; n < 60; n++) {
        pthread_t thread[4];
        for (int t = 0; t < 4; t++)
            if (pthread_create(&thread[t], NULL, other, (void *)(intptr_t)rounds) != 0) abort();
        work(1);
        for (int t = 0; t < 4; t++) {
            void *result;
            pthread_join(thread[t], &result);
            ended += result != NULL;
        }
    }
    return ended;
}

static __attribute__((noinline)) long deep(long depth)
{
    volatile char frame[16];
    frame[depth & 15] = (char)depth;
    if (depth == 0) return work(3);
    return deep(depth - 1) + (frame[depth & 15] == (char)depth);
}

static long recursion(int rounds)
{
    long sum = 0;
    for (int r = 0; r < rounds / 10 + 1; r++) sum += deep(30000);
    return sum;
}

/* Code that comes and goes. */
static long libraries(int rounds)
{
    long sum = 0;
    for (int n = 0; n < 40; n++) {
        void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL) abort();
        long (*compute)(long) = (long (*)(long))dlsym(handle, "compute");
        if (compute == NULL) abort();
        sum += compute(20000L * rounds);
        if (dlclose(handle) != 0) abort();
        sum += work(1) & 1;
    }
    return sum;
}

/* A handler with a stack of its own, and all signals blocked for a time. */
static long masks(int rounds)
{
    stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    sigset_t all, before;
    if (sigaltstack(&stack, NULL) != 0) abort();
    handle(SIGUSR1, on_usr1, SA_ONSTACK);
    sigfillset(&all);
    if (sigprocmask(SIG_BLOCK, &all, &before) != 0) abort();
    long sum = work(10 * rounds);
    raise(SIGUSR1);
    int early = on_own_stack;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return sum + on_own_stack - early;
}

/* System calls that nobody may interrupt: without SA_RESTART the caller would see it. */
static long calls(int rounds)
{
    int ends[2];
    long interrupted = 0, read_bytes = 0;
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        for (int n = 0; n < 20; n++) {
            struct timespec pause = {0, 2000000};
            nanosleep(&pause, NULL);
            if (write(ends[1], "x", 1) != 1) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    for (;;) {
        char byte;
        long got = read(ends[0], &byte, 1);
        if (got < 0) {
            interrupted++;
            continue;
        }
        if (got == 0) break;
        read_bytes++;
        work(rounds / 5);
        struct timespec pause = {0, 1000000};
        if (nanosleep(&pause, NULL) != 0) interrupted++;
    }
    close(ends[0]);
    int status;
    while (waitpid(child, &status, 0) != child) interrupted += errno == EINTR;
    return 1000 * interrupted + read_bytes;
}

static const struct {
    const char *name;
    long (*run)(int rounds);
} PARTS[] = {{"timers", timers},   {"jumps", jumps},         {"forks", forks}, {"threads", threads}, {"recursion", recursion},
             {"libraries", libraries}, {"masks", masks}, {"calls", calls}};

int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]);
    library = argv[2];
    for (int part = 0; part < (int)(sizeof PARTS / sizeof *PARTS); part++) {
        int wanted = argc <= 3;
        for (int n = 3; n < argc; n++) wanted |= strcmp(argv[n], PARTS[part].name) == 0;
        if (!wanted) continue;
        long result = PARTS[part].run(rounds);
        upc_barrier;
        for (int t = 0; t < THREADS; t++) {
            if (MYTHREAD == t) {
                printf("%s %d %ld\n", PARTS[part].name, t, result);
                fflush(stdout);
            }
            upc_barrier;
        }
    }
    return 0;
}

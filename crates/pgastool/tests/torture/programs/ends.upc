/* Does the rounds of sequence.upc, and ends in the way that argv[2] says. The events are more than a small disk holds. */
#include <upc_relaxed.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

shared [8192] char to[8192 * THREADS];
char from[8192];

void leaf(void) { from[0]++; }

void step(long i)
{
    long k;

    for (k = 0; k < i % 3; k++)
        leaf();
    upc_memput(&to[8192 * ((MYTHREAD + 1) % THREADS)], from, 8 * (i % 1000) + 8);
    if (i % 16 == 15)
        upc_barrier (int)(i & 0x3fffffff);
}

/* A signal may come while this returns: nothing is left in a buffer that would be printed twice. */
void ready(void)
{
    if (write(STDOUT_FILENO, "ready\n", 6) != 6)
        abort();
}

/* Waits for something that never comes. */
void hang(const char *how)
{
    for (;;) {
        if (!strcmp(how, "usleep"))
            usleep(1000);
        else if (!strcmp(how, "poll"))
            poll(NULL, 0, 10);
        else
            pause();
    }
}

int main(int argc, char **argv)
{
    long i, rounds = atol(argv[1]);
    const char *end = argv[2];
    pid_t child;
    int status;

    if (!strcmp(end, "wait"))
        rounds = 1L << 60;
    if (!strcmp(end, "fork"))
        rounds /= 2;
    for (i = 0; i < rounds; i++) {
        step(i);
        if (!strcmp(end, "wait") && i == 1000 && MYTHREAD == 0) {
            ready();
        }
    }
    if (!strcmp(end, "fork")) {
        child = fork();
        if (child == 0) {
            for (i = 0; i < 1000; i++)
                leaf();
            _exit(5);
        }
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
            return 1;
        for (i = rounds; i < 2 * rounds; i++)
            step(i);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("result %d\n", from[0]);
        fflush(stdout);
    }
    upc_barrier;
    if (!strcmp(end, "exit"))
        exit(7);
    if (!strcmp(end, "exit in one thread") && MYTHREAD == THREADS - 1)
        exit(8);
    if (!strcmp(end, "global exit") && MYTHREAD == 0)
        upc_global_exit(9);
    if (!strcmp(end, "_exit"))
        _exit(10);
    if (!strcmp(end, "abort") && MYTHREAD == THREADS - 1)
        abort();
    if (!strcmp(end, "crash") && MYTHREAD == 0)
        raise(SIGSEGV);
    if (!strcmp(end, "null") && MYTHREAD == THREADS - 1)
        *(volatile int *)0 = 1;
    if (!strcmp(end, "usleep") || !strcmp(end, "poll") || !strcmp(end, "pause")) {
        if (MYTHREAD == 0) {
            ready();
        }
        hang(end);
    }
    if (!strcmp(end, "exec"))
        execlp("sh", "sh", "-c", "exit 11", (char *)NULL);
    upc_barrier;
    return strcmp(end, "12") ? 0 : 12;
}

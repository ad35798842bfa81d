/* The sequence of sequence.upc by threads of one process, without anything to do between the events: the most that a
 * program can ask of the recorder, and its helper is one for all threads.
 *     sequence ROUNDS PROGRESS-FILE */
#include <fcntl.h>
#include <pgas_measure.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

__attribute__((section(".pgas_info"), used)) static const char note[] =
    "compiler=embedded;threads=dynamic;instrumented=yes;";

#define FILE_NAME "sequence.c"
static long rounds;
static int threads;
static volatile long *progress;

static void step(pgas_recorder *recorder, int thread, long i)
{
    long k;

    pgas_enter(recorder, PGAS_FUNCTION, FILE_NAME, 20, "step");
    for (k = 0; k < i % 3; k++) {
        pgas_enter(recorder, PGAS_FUNCTION, FILE_NAME, 10, "leaf");
        pgas_exit(recorder, PGAS_FUNCTION, "leaf");
    }
    pgas_enter_transfer(recorder, PGAS_MEMPUT, FILE_NAME, 22, (thread + 1) % threads, 8 * (i % 1000) + 8);
    pgas_exit(recorder, PGAS_MEMPUT, NULL);
    if (i % 16 == 15) {
        pgas_enter_barrier(recorder, PGAS_BARRIER, FILE_NAME, 24, 1, (int)(i & 0x3fffffff));
        pgas_exit(recorder, PGAS_BARRIER, NULL);
    }
    pgas_exit(recorder, PGAS_FUNCTION, "step");
    progress[thread] = i + 1;
}

static void *run(void *argument)
{
    int thread = (int)(long)argument;
    pgas_recorder *recorder = pgas_open(thread, threads);
    long i;

    pgas_enter(recorder, PGAS_FUNCTION, FILE_NAME, 30, "main");
    for (i = 0; i < rounds; i++)
        step(recorder, thread, i);
    pgas_exit(recorder, PGAS_FUNCTION, "main");
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t others[64];
    int file = open(argv[argc - 1], O_RDWR);
    long t;

    rounds = atol(argv[1]);
    threads = atoi(getenv("PGAS_THREADS") ? getenv("PGAS_THREADS") : "1");
    progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (progress == MAP_FAILED || threads > 64)
        return 2;
    for (t = 1; t < threads; t++)
        pthread_create(&others[t], NULL, run, (void *)t);
    run((void *)0);
    for (t = 1; t < threads; t++)
        pthread_join(others[t], NULL);
    puts("result 42");
    return 0;
}

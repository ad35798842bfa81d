/* A sequence of events in which each tells its place: round i calls leaf i % 3 times, puts 8 * (i % 1000) + 8 bytes, and
 * every 16th round ends with a barrier whose value is i. How many rounds a thread has done is in a file that is shared
 * with who watches, so it is known after a kill, too.
 *     sequence ROUNDS PROGRESS-FILE */
#include <upc_relaxed.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

shared [8192] char to[8192 * THREADS];
char from[8192];
volatile long *progress;

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

int main(int argc, char **argv)
{
    long i, rounds = atol(argv[1]);
    int file = open(argv[2], O_RDWR);

    progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (progress == MAP_FAILED)
        return 2;
    for (i = 0; i < rounds; i++) {
        step(i);
        progress[MYTHREAD] = i + 1;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("result %d\n", from[0]);
    return 0;
}

// threads: 1 2 3 4 7
// upc_memget, upc_memput, upc_memcpy, upc_memset, contiguous at the far end whatever the pointer's layout.
#include <upc.h>
#include <string.h>
#include "check.h"

#define N 32
shared [N] int blocks[N * THREADS], others[N * THREADS];
shared int cyclic[N * THREADS];
shared [] char text[64];

int main(void)
{
    int i, buffer[N], next = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    const int *constant = buffer;

    for (i = 0; i < N; i++)
        buffer[i] = 1000 * MYTHREAD + i;
    upc_memput(&blocks[N * next], buffer, N * sizeof(int));
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK_EQUAL(blocks[N * MYTHREAD + i], 1000 * left + i);
    memset(buffer, 0, sizeof buffer);
    upc_memget(buffer, &blocks[N * next], sizeof buffer);
    for (i = 0; i < N; i++)
        CHECK_EQUAL(buffer[i], 1000 * MYTHREAD + i);
    upc_memget(buffer + 3, blocks + N * next + 5, 4 * sizeof(int));
    CHECK_EQUAL(buffer[3], 1000 * MYTHREAD + 5);
    CHECK_EQUAL(buffer[7], 1000 * MYTHREAD + 7);
    upc_memcpy(&others[N * left], &blocks[N * next], N * sizeof(int));
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK_EQUAL(others[N * MYTHREAD + i], 1000 * next + i);
    upc_barrier;

    // A cyclic pointer: the thread's elements are contiguous there.
    for (i = 0; i < N; i++)
        ((int *)buffer)[i] = 7 * i + MYTHREAD;
    upc_memput(cyclic + next, constant, sizeof buffer);
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK_EQUAL(cyclic[i * THREADS + next], 7 * i + MYTHREAD);
    int k = 5;
    upc_memget(buffer, cyclic + MYTHREAD + k * THREADS, 10 * sizeof(int));
    for (i = 0; i < 10; i++)
        CHECK_EQUAL(buffer[i], 7 * (i + k) + left);
    upc_barrier;
    upc_memset(&blocks[N * next], 0xff, N * sizeof(int) / 2);
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK_EQUAL(blocks[N * MYTHREAD + i], i < N / 2 ? -1 : 1000 * left + i);
    upc_memget(buffer, cyclic, 0);
    if (MYTHREAD == THREADS - 1)
        upc_memput(text, "from the last thread", 21);
    upc_barrier;
    char line[64];
    upc_memget(line, text, 64);
    CHECK(strcmp(line, "from the last thread") == 0);
    upc_memcpy((shared void *)(text + 32), (shared void *)text, 21 * (MYTHREAD == 0));
    return finish();
}

// threads: 2 3
// Memory operations and collectives that go beyond the end of a thread's part of an object, or overlap.
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>

#define N 8
shared [N] int array[N * THREADS], other[N * THREADS];
shared [] double row[N];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, buffer[2 * N] = {0};
    shared [] int *memory = upc_alloc(N * sizeof(int));
    int *local = (int *)&array[MYTHREAD * N];

    upc_memget(buffer, &array[N], N * sizeof(int));
    upc_memput(&array[MYTHREAD * N + 3], buffer, (N - 3) * sizeof(int));
    upc_memcpy(memory, memory + N / 2, N / 2 * sizeof(int));
    upc_memcpy(&other[MYTHREAD * N], &array[MYTHREAD * N], N * sizeof(int));
    upc_memset(row, 0, sizeof row);
    upc_memget(NULL, NULL, 0);
    upc_memget(buffer, row + N, 0);
    upc_all_broadcast(other, row, N * sizeof(int), 0);
    upc_all_reduceI(&other[0], array, UPC_ADD, N * THREADS, N, NULL, 0);
    upc_all_prefix_reduceI(other, array, UPC_ADD, N * THREADS, N, NULL, 0);
    upc_barrier;
    if (fault == 1)
        upc_memget(buffer, &array[N], 2 * N * sizeof(int)); /* fault 1: upc_memget reads 64 bytes from byte 0 on, which is 32 beyond the end of the part on thread 1 */
    if (fault == 2)
        upc_memput(&array[N + 1], buffer, N * sizeof(int)); /* fault 2: upc_memput writes 32 bytes from byte 4 on, which is 4 beyond the end */
    if (fault == 3)
        upc_memcpy(memory, row + 4, N * sizeof(int) + 1); /* fault 3: which is 1 beyond the end of the part on thread */
    if (fault == 4)
        upc_memset(row + N, 0, 1); /* fault 4: upc_memset writes 1 bytes at element 8 of the shared object row */
    if (fault == 5)
        upc_memcpy(memory, memory + 3, 4 * sizeof(int)); /* fault 5: upc_memcpy of 16 bytes between places that overlap */
    if (fault == 6)
        upc_memget(local + 1, &array[MYTHREAD * N], 2 * sizeof(int)); /* fault 6: upc_memget of 8 bytes between places that overlap */
    if (fault == 7)
        upc_memget(buffer, NULL, 4); /* fault 7: upc_memget reads through a null pointer-to-shared */
    if (fault == 8)
        upc_memput(memory, NULL, 4); /* fault 8: with a null private pointer */
    if (fault == 9)
        upc_all_broadcast(other, row, (N + 1) * sizeof(int), 0); /* fault 9: upc_all_broadcast writes 36 bytes */
    if (fault == 10)
        upc_all_gather(memory, array, N * sizeof(int), 0); /* fault 10: upc_all_gather */
    if (fault == 11)
        upc_all_reduceI(&other[0], array, UPC_ADD, (N + 1) * THREADS, N, NULL, 0); /* fault 11: upc_all_reduceI reads 4 bytes at */
    if (fault == 12)
        upc_memget(buffer, memory, (size_t)-4); /* fault 12: beyond the end of the part */
    upc_barrier;
    upc_free(memory);
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}

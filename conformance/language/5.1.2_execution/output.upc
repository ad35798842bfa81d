// threads: 1 2 3 4 7
// expect: OK
// Lines of all threads come out whole, in the order of barriers once flushed.
#include <upc.h>
#include <stdio.h>

int main(void)
{
    int i, j;

    printf("before\n");
    fflush(stdout);
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        if (i == MYTHREAD) {
            for (j = 0; j < 100; j++)
                printf("thread %d line %d\n", MYTHREAD, j);
            fflush(stdout);
        }
        upc_barrier;
    }
    if (MYTHREAD == THREADS - 1)
        printf("OK\n");
    return 0;
}

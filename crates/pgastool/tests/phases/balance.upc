/* Thirty iterations. The last thread has most to do in `merge`: always by the same, or by more each time if the first
   argument is "growing". Work is sleep, so that it takes as long on a busy machine. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

static void sort(void)
{
    usleep(1000);
}

static void merge(int extra)
{
    usleep(1000 + 200 * extra);
}

int main(int argc, char **argv)
{
    int growing = argc > 1 && strcmp(argv[1], "growing") == 0;
    int k;

    upc_barrier;
    for (k = 0; k < 30; k++) {
        sort();
        upc_barrier;
        merge(MYTHREAD < THREADS - 1 ? 0 : growing ? k : 15);
        upc_barrier;
    }
    return 0;
}

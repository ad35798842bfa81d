// threads: 1 2 3 4
// status: 3
// expect: going
// upc_global_exit ends all threads with its status, although the others stand in a barrier; output is not lost.
#include <upc.h>
#include <stdio.h>

int main(void)
{
    if (MYTHREAD == THREADS - 1) {
        printf("going\n");
        upc_global_exit(3);
    }
    upc_barrier;
    return 0;
}

// threads: 1 2 3 4 7
// status: 4
// What threads print before one of them ends all is not lost, also without a newline and with buffers.
#include <upc.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    static char buf[4096];
    setvbuf(stdout, buf, _IOFBF, sizeof buf);
    fprintf(stderr, "error of %d\n", MYTHREAD);
    printf("begin %d\n", MYTHREAD);
    fflush(stdout);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        printf("OK");
        upc_global_exit(4);
    }
    for (;;) {
        upc_fence;
        usleep(1000);
    }
}

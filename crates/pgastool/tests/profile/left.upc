/* Leaves operations by siglongjmp from a handler, in the function that has called sigsetjmp: copies to memory that cannot be
 * written, a barrier that takes long. What comes after is the same as if they had ended. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <upc.h>

#define ROUNDS 1000

static sigjmp_buf back;
static volatile int left;
shared [64] char data[64 * THREADS];

static void leave(int signal)
{
    (void)signal;
    left++;
    siglongjmp(back, 1);
}

static __attribute__((noinline)) void after(void)
{
    upc_fence;
}

int main(void)
{
    volatile int round;
    char *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    signal(SIGSEGV, leave);
    signal(SIGALRM, leave);
    for (round = 0; round < ROUNDS; round++) {
        if (sigsetjmp(back, 1) == 0)
            upc_memget(closed, &data[64 * ((MYTHREAD + 1) % THREADS)], 64);
        after();
    }
    if (MYTHREAD == 0) {
        struct itimerval soon = {.it_value = {.tv_usec = 200000}};

        if (sigsetjmp(back, 1) == 0) {
            setitimer(ITIMER_REAL, &soon, NULL);
            upc_barrier;
        }
        after();
    } else {
        usleep(900000);
        usleep(900000);
        upc_barrier;
        after();
    }
    upc_fence;
    upc_barrier;
    after();
    printf("left %d\n", left);
    return 0;
}

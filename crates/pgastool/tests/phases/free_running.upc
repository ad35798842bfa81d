/* Forty time steps in which no thread waits for all others. First argument "locks": a function that adds up under a lock, in
   which the last thread has more to do each time. "region": a named region in main in which each thread writes to its neighbour;
   thread 1 takes longer every tenth time. "tasks": as many steps as a thread's number says. Work is sleep, so that it takes as
   long on a busy machine. */
#include <pupc.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

shared long sum;
shared long cell[THREADS];
upc_lock_t *lock;

static void step(int k)
{
    usleep(500 + (MYTHREAD == THREADS - 1 ? 100 * k : 0));
    upc_lock(lock);
    sum += k;
    usleep(50);
    upc_unlock(lock);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    unsigned time_step = pupc_create_event("time step", NULL);
    long value = MYTHREAD;
    int k;

    lock = upc_all_lock_alloc();
    upc_barrier;
    if (strcmp(kind, "region") == 0) {
        for (k = 0; k < 40; k++) {
            pupc_event_start(time_step);
            usleep(MYTHREAD == 1 && k % 10 == 9 ? 10000 : 1000);
            upc_memput(&cell[(MYTHREAD + 1) % THREADS], &value, sizeof value);
            pupc_event_end(time_step);
        }
    } else {
        int steps = strcmp(kind, "tasks") == 0 ? 40 + MYTHREAD : 40;
        for (k = 0; k < steps; k++) {
            step(k);
        }
    }
    upc_barrier;
    return 0;
}

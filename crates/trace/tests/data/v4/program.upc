// Two threads that share one core (`taskset -c 0`), and an accumulation under a lock:
//
//     pgastool compile -O1 program.upc && taskset -c 0 pgastool run -n 2 -o no-core ./a.out
#include <upc.h>

shared int sums[THREADS];
upc_lock_t *lock;
static volatile long work;

int main(void) {
    lock = upc_all_lock_alloc();
    for (int round = 0; round < 3; round++) {
        for (long i = 0; i < 20000000; i++) work += i;
        upc_barrier round;
    }
    upc_lock(lock);
    for (int i = 0; i < 4; i++) sums[(MYTHREAD + 1) % THREADS] += i;
    upc_unlock(lock);
    upc_notify;
    upc_wait;
    return 0;
}

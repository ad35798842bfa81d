/* Counts abundant numbers, and deals them out badly: thread 0 has the small ones, which take least. */
#include <stdio.h>
#include <upc.h>

#define LIMIT 40000

shared long total;
upc_lock_t *lock;

int is_abundant(long n) {
    long sum = 0;
    for (long d = 1; d <= n / 2; d++)
        if (n % d == 0) sum += d;
    return sum > n;
}

void count(long first, long end) {
    for (long n = first; n < end; n++)
        if (is_abundant(n)) {
            upc_lock(lock);
            total++;
            upc_unlock(lock);
        }
}

int main(void) {
    long share = LIMIT / THREADS;
    lock = upc_all_lock_alloc();
    count(MYTHREAD * share, (MYTHREAD + 1) * share);
    upc_barrier;
    if (MYTHREAD == 0) printf("%ld abundant numbers below %d\n", total, LIMIT);
    return 0;
}

// threads: 1 2 4
// A domain where another one was, which all threads have freed, has its own type and operations.
#include <upc.h>
#include <upc_atomic.h>
#include "check.h"

shared int number;
shared double real;

int main(void)
{
    for (int round = 0; round < 20; round++) {
        upc_atomicdomain_t *integers = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
        int one = 1, before;
        upc_atomic_relaxed(integers, NULL, UPC_ADD, &number, &one, NULL);
        upc_barrier;
        upc_atomic_relaxed(integers, &before, UPC_GET, &number, NULL, NULL);
        CHECK(before == (round + 1) * THREADS);
        upc_all_atomicdomain_free(integers);
        upc_barrier;
        upc_atomicdomain_t *reals = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_GET, 0);
        double half = 0.5, sum;
        upc_atomic_relaxed(reals, NULL, UPC_ADD, &real, &half, NULL);
        upc_barrier;
        upc_atomic_relaxed(reals, &sum, UPC_GET, &real, NULL, NULL);
        CHECK(sum == (round + 1) * THREADS * 0.5);
        upc_all_atomicdomain_free(reals);
        upc_barrier;
    }
    return finish();
}

// threads: 1 3
// status: 1
// expect: pgas: thread 0: upc_atomic_relaxed of UPC_MULT on UPC_INT is not in the domain, which has UPC_GET|UPC_ADD
// An operation outside of its domain ends the program.
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
    int two = 2;

    if (MYTHREAD == 0)
        upc_atomic_relaxed(domain, NULL, UPC_MULT, &x, &two, NULL);
    upc_barrier;
    return 0;
}

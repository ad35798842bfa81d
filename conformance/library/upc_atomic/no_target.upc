// threads: 1 2
// status: 1
// expect: pgas: thread 0: upc_atomic_strict of UPC_INC on UPC_ULONG has a null pointer for its target
// unchecked: the checks say it in their own words
// An operation on nothing.
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_ULONG, UPC_INC, 0);

    if (MYTHREAD == 0)
        upc_atomic_strict(domain, NULL, UPC_INC, NULL, NULL, NULL);
    upc_barrier;
    return 0;
}

// threads: 1
// status: 1
// expect: pgas: thread 0: upc_all_atomicdomain_alloc for UPC_DOUBLE with the operations UPC_XOR, which the type does not have
// A domain of operations that its type does not have.
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_XOR, 0);
    return 0;
}

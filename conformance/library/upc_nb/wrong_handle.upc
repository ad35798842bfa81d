// threads: 1
// status: 1
// expect: pgas: thread 0: upc_sync of a handle (0x2a) that no transfer has returned
// A handle that is not one.
#include <upc.h>
#include <upc_nb.h>

int main(void)
{
    upc_handle_t handle = (upc_handle_t)42L;

    upc_sync(handle);
    return 0;
}

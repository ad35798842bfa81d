/* All of Berkeley UPC's functions. */
#include <bupc_extensions.h>

/* Berkeley UPC's atomic operations, under another name of their header. */
#include <bupc_atomics.h>

/* Berkeley UPC's non-blocking copies, under another name of their header. */
#include <bupc_async.h>

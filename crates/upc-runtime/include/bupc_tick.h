/* Berkeley UPC's clock, under another name of its header. */
#include <bupc_timers.h>

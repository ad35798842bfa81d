/* Berkeley UPC's semaphores, under another name of their header. */
#include <bupc_sem.h>

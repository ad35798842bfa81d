/* Berkeley UPC's semaphores. */
#include "upcr_bupc_sem.h"

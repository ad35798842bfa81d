/* Berkeley UPC's semaphores, under another name of their header. */
#include "upcr_bupc_sem.h"

/* Berkeley UPC's atomic operations, under another name of their header. */
#include "upcr_bupc_atomics.h"

/* Berkeley UPC's atomic operations. */
#include "upcr_bupc_atomics.h"

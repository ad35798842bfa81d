/* Berkeley UPC's functions on pointers-to-shared. */
#include "upcr_bupc_pointers.h"

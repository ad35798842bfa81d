/* Berkeley UPC's functions on pointers-to-shared, under another name of their header. */
#include "upcr_bupc_pointers.h"

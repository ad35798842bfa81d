/* All of Berkeley UPC's functions, and on request their names that begin with upc_. */
#include "upcr_bupc_extensions.h"
#include "upcr_bupc_names.h"

/* Types and constants that several parts of the UPC library share. */
#include "upcr_upc_types.h"

/* The collective operations of UPC 1.3 (section 7.3). */
#include "upcr_upc_collective.h"

/* The UPC library, and shared accesses are relaxed unless they say otherwise. */
#include "upcr_upc.h"
#include "upcr_bupc_names.h"
#pragma upc relaxed

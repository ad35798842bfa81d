/* The UPC library, and shared accesses are strict unless they say otherwise. */
#include "upcr_upc.h"
#include "upcr_bupc_names.h"
#pragma upc strict

/* The UPC library, and shared accesses are relaxed unless they say otherwise. */
#include <upc.h>
#pragma upc relaxed

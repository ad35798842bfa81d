/* The UPC library, and shared accesses are strict unless they say otherwise. */
#include <upc.h>
#pragma upc strict

/* The required library of UPC 1.3 (section 7.2), and what programs written for other compilers
 * expect beside it. Our headers include files whose names begin with upcr_, in quotes: a
 * program's own bupc_timers.h is not meant. */
#include "upcr_upc.h"
#include "upcr_bupc_names.h"

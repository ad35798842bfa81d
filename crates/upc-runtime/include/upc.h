/* The required library of UPC 1.3 (section 7.2), and what programs written for other compilers
 * expect beside it. What our headers include has names that begin with upcr_, in quotes: a
 * program's own bupc_timers.h is not meant. */
#include "upcr_upc.h"
#include "upcr_bupc_names.h"

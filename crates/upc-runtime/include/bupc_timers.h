/* Berkeley UPC's clock. */
#include "upcr_bupc_timers.h"

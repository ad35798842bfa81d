/* Berkeley UPC's clock, under another name of its header. */
#include "upcr_bupc_timers.h"

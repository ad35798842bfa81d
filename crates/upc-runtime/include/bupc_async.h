/* Berkeley UPC's copies that need not be complete when the call returns. */
#include "upcr_bupc_async.h"

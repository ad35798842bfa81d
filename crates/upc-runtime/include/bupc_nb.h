/* The same, under another name of the header. */
#include "upcr_bupc_async.h"

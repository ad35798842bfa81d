/* Messages between UPC threads, for the method of timing. */
#ifndef PGAS_UPC_TRANSPORT_H
#define PGAS_UPC_TRANSPORT_H

#include "pgas_timing.h"

/* Opens the mailboxes; by all threads together. */
void pgas_upc_open(pgas_transport *through);

/* Says whether this thread is between upc_notify and upc_wait, where no barrier is allowed. The
   transport's barrier is made of messages meanwhile. */
void pgas_upc_is_between(int is_between);

#endif

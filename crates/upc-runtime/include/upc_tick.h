/* A clock of high resolution (UPC 1.3, section 7.5). Ticks of different threads can be compared. */
#ifndef UPCR_UPC_TICK_H
#define UPCR_UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX (~(upc_tick_t)0)

extern upc_tick_t upc_ticks_now(void);
extern uint64_t upc_ticks_to_ns(upc_tick_t __ticks);

#endif

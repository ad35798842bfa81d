/* A clock of high resolution (UPC 1.3, section 7.5). Ticks of different threads can be compared. */
#ifndef UPC_TICK_H
#define UPC_TICK_H

typedef unsigned long long upc_tick_t;
#define UPC_TICK_MIN 0ull
#define UPC_TICK_MAX 18446744073709551615ull

extern upc_tick_t upc_ticks_now(void);
extern unsigned long long upc_ticks_to_ns(upc_tick_t __ticks);

#endif

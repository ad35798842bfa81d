/* Berkeley UPC's clock. Its ticks are those of upc_tick.h. */
#ifndef UPCR_BUPC_TIMERS_H
#define UPCR_BUPC_TIMERS_H

typedef __UINT64_TYPE__ bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)

extern bupc_tick_t bupc_ticks_now(void);
extern __UINT64_TYPE__ bupc_ticks_to_us(bupc_tick_t __ticks);
extern __UINT64_TYPE__ bupc_ticks_to_ns(bupc_tick_t __ticks);
/* Microseconds: between two values of the clock, and for one call of bupc_ticks_now. */
extern double bupc_tick_granularity(void);
extern double bupc_tick_overhead(void);
/* Their names before. */
extern double bupc_tick_granularityus(void);
extern double bupc_tick_overheadus(void);

#endif

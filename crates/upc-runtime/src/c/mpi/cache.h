/* The cache of far memory until the next fence: lines that were read, and bytes that are to be
 * written; see cache.c. All of this is for the program's first pthread. */
#ifndef UPCR_CACHE_H
#define UPCR_CACHE_H

#include "network.h"

/* Of the smallest accesses, those that lie in one line go through the cache. */
#define UPCR_CACHE_MOST 64ul
#define UPCR_CACHE_LINE 512ul
static inline int upcr_is_cacheable(upcr_addr_t addr, unsigned long n) {
  return n <= UPCR_CACHE_MOST && (addr & (UPCR_CACHE_LINE - 1)) + n <= UPCR_CACHE_LINE;
}

UPCR_HIDDEN void upcr_cache_start(void);
/* From now on, nothing is cached; what was is lost. */
UPCR_HIDDEN void upcr_cache_stop(void);
/* Whether accesses of the calling pthread may be cached. One by another pthread than the first ends
 * caching for good: there would be no telling when they synchronise with each other. */
UPCR_HIDDEN int upcr_is_cached(void);
/* The cacheable part of a thread's memory. */
UPCR_HIDDEN void upcr_cache_read(void *to, upcr_addr_t from, unsigned long n);
UPCR_HIDDEN void upcr_cache_write(upcr_addr_t to, const void *from, unsigned long n);
/* Sends what is to be written. */
UPCR_HIDDEN void upcr_cache_flush(void);
/* Forgets what was read. */
UPCR_HIDDEN void upcr_cache_forget(void);
/* Writes do not stay here for long while the program computes, nor what was read. Called by the
 * progress thread. */
UPCR_HIDDEN void upcr_cache_grow_old(void);
/* Where a line is to be read, or written in parts. */
UPCR_HIDDEN upcr_handler upcr_handle_get_line, upcr_handle_line, upcr_handle_put_lines;

#endif

/* Counts of single accesses; see inst_counts.c. */
#ifndef UPCR_INST_COUNTS_H
#define UPCR_INST_COUNTS_H

#include "gasp.h"
#include "runtime.h"

#include "pgas_upcr_counts.h"

UPCR_HIDDEN extern upcr_access_table *upcr_i_dirty_tables;

/* Before the program begins: its tables get their memory, and the tool learns where they are. */
UPCR_HIDDEN void upcr_i_begin_counts(gasp_context_t);
/* Samples of accesses that are counted: their table is prepared for them before it counts. */
UPCR_HIDDEN void upcr_i_prepare_samples(gasp_context_t);
UPCR_HIDDEN void upcr_i_begin_samples(upcr_access_table *);
UPCR_HIDDEN void upcr_i_report_dirty(gasp_context_t);
/* Recording was switched on or off. */
UPCR_HIDDEN void upcr_i_switch_counts(gasp_context_t);

/* Before an event that changes the call path. */
static inline void upcr_i_report_counts(gasp_context_t context) {
  if (upcr_i_dirty_tables != NULL) upcr_i_report_dirty(context);
}

#endif

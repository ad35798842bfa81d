/* Counts of what is not reported; see inst_counts.c. */
#ifndef UPCR_INST_COUNTS_H
#define UPCR_INST_COUNTS_H

#include "gasp.h"
#include "runtime.h"

#include "pgas_upcr_counts.h"

UPCR_HIDDEN extern upcr_access_table *upcr_i_dirty_tables;
UPCR_HIDDEN extern upcr_function_site *upcr_i_dirty_functions;

/* Before the program begins: its tables get their memory, and the tool learns where they are. */
UPCR_HIDDEN void upcr_i_begin_counts(gasp_context_t);
/* Samples of accesses that are counted: their table is prepared for them before it counts. */
UPCR_HIDDEN void upcr_i_prepare_samples(gasp_context_t);
UPCR_HIDDEN void upcr_i_begin_samples(upcr_access_table *);
UPCR_HIDDEN void upcr_i_report_dirty(gasp_context_t);
/* Lets a function rest if the tool agrees: from then on its calls are counted. */
UPCR_HIDDEN void upcr_i_review_function(gasp_context_t, upcr_function_site *);
/* Recording was switched on or off. */
UPCR_HIDDEN void upcr_i_switch_counts(gasp_context_t);

static inline int upcr_i_has_counts(void) {
  return upcr_i_dirty_tables != NULL || upcr_i_dirty_functions != NULL;
}

/* Returns the tool's context, and null if it must not be called now. Unless it is null,
 * upcr_i_leave_tool must follow. */
UPCR_HIDDEN gasp_context_t upcr_i_enter_tool(void);
UPCR_HIDDEN void upcr_i_leave_tool(void);
/* The table that a site belongs to. */
UPCR_HIDDEN upcr_access_table *upcr_i_table_with(const upcr_access_site *);
/* An access to data of a thread that is counted was reported as an event. */
UPCR_HIDDEN void upcr_i_discount(upcr_access_table *, long site, int thread);
/* Whether the tool records now, as far as it says so. */
UPCR_HIDDEN int upcr_i_wants_events(gasp_context_t);

/* Waits for flags (inst_flags.c): before the program begins, and after a jump out of one. */
UPCR_HIDDEN void upcr_i_begin_flags(void);
UPCR_HIDDEN void upcr_i_abandon_flag_wait(void);

/* Before an event that changes the call path. */
static inline void upcr_i_report_counts(gasp_context_t context) {
  if (upcr_i_has_counts()) upcr_i_report_dirty(context);
}

#endif

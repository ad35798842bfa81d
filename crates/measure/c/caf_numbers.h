/* Coarray Fortran: numbers of coarrays, and of what lies in them, equal on all images. */
#ifndef PGAS_CAF_NUMBERS_H
#define PGAS_CAF_NUMBERS_H

#include "caf_library.h"

/* A new number for a coarray. */
extern void pgas_caf_number(caf_token token, int kind);
extern void pgas_caf_forget(caf_token token);

/* How many numbers there were; and that coarrays of the current team are gone, so that their
 * numbers are free again. */
extern uint32_t pgas_caf_last_number(void);
extern void pgas_caf_return_to_number(uint32_t last);

/* Where the byte at this offset lies within what an image shares with others; 0 if the coarray has
 * no number. */
extern uint64_t pgas_caf_address(caf_token token, uint64_t offset);

/* The lock or event at this index of a coarray on an image, which is a number in the initial team.
 */
extern uint64_t pgas_caf_object(caf_token token, size_t index, int image);

extern int pgas_caf_is_critical(caf_token token);

#endif

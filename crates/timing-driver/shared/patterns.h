/* Operations of known length, which every driver has. */
#ifndef PGAS_PATTERNS_H
#define PGAS_PATTERNS_H

#include "pgas_operation.h"

/* Tables end with NULL; the function is for UPC, where addresses of other files' data are no
   constants with all compilers. */
extern const pgas_operation *const pgas_pattern_table[];
const pgas_operation *const *pgas_patterns(void);

#endif

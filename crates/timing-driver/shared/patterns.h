/* Operations of known length, which every driver has. */
#ifndef PGAS_PATTERNS_H
#define PGAS_PATTERNS_H

#include "pgas_operation.h"

/* A table that ends with NULL. */
const pgas_operation *const *pgas_patterns(void);

#endif

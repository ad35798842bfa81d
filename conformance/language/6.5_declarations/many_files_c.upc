// part of: many_files.upc
#include "many_files.h"
extern shared int in_b[2 * THREADS];

int unused_c(void) { return in_b[0] + get(1) + hidden(); }

/* The checked optional libraries of instrumented programs: what is called reports its events. */
#define UPCR_INST 1
#define CHECKED(name) upcr_ci_##name
#define NEXT(name, ...) upcr_i_##name(__VA_ARGS__, file, line)
#include "check_optional.h"

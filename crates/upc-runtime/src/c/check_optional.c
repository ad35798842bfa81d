/* The checked optional libraries of programs that are not instrumented. */
#define CHECKED(name) upcr_c_##name
#define NEXT(name, ...) name(__VA_ARGS__)
#include "check_optional.h"

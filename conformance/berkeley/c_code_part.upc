// part of: c_code.upc
#pragma upc c_code
#include "c_code.h"

int other(int shared) { return shared + 1; }

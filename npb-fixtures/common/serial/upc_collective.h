#include <upc.h>

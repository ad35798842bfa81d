// threads: 1
// The constants of upc_types.h, upc_collective.h and upc_atomic.h are there and different from each other, and those
// of operations and flags can be combined. The macros of the libraries are predefined.
#include <upc.h>
#include <upc_types.h>
#include <upc_collective.h>
#include <upc_atomic.h>
#include <upc_tick.h>
#include "check.h"

#if __UPC_COLLECTIVE__ != 1 || __UPC_TICK__ != 1 || __UPC_ATOMIC__ != 1 || __UPC_CASTABLE__ != 1 || __UPC_NB__ != 1
#error "a library's macro is not predefined"
#endif

static const upc_type_t types[] = {UPC_CHAR,  UPC_UCHAR,  UPC_SHORT,  UPC_USHORT, UPC_INT,    UPC_UINT,
                                   UPC_LONG,  UPC_ULONG,  UPC_LLONG,  UPC_ULLONG, UPC_INT8,   UPC_UINT8,
                                   UPC_INT16, UPC_UINT16, UPC_INT32,  UPC_UINT32, UPC_INT64,  UPC_UINT64,
                                   UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS};
static const upc_op_t operations[] = {UPC_ADD,   UPC_MULT, UPC_AND, UPC_OR,           UPC_XOR, UPC_LOGAND,
                                      UPC_LOGOR, UPC_MIN,  UPC_MAX, UPC_FUNC,         UPC_NONCOMM_FUNC, UPC_GET,
                                      UPC_SET,   UPC_CSWAP, UPC_SUB, UPC_INC,         UPC_DEC};
static const upc_flag_t flags[] = {UPC_IN_NOSYNC,  UPC_IN_MYSYNC,  UPC_IN_ALLSYNC,
                                   UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC};

int main(void)
{
    unsigned i, j;

    for (i = 0; i < sizeof types / sizeof types[0]; i++)
        for (j = 0; j < i; j++)
            CHECK(types[i] != types[j]);
    for (i = 0; i < sizeof operations / sizeof operations[0]; i++)
        for (j = 0; j < i; j++)
            CHECK((operations[i] & operations[j]) == 0 && operations[i] != 0);
    for (i = 0; i < sizeof flags / sizeof flags[0]; i++)
        for (j = 0; j < i; j++)
            CHECK((flags[i] & flags[j]) == 0 && flags[i] != 0);
    CHECK(UPC_TICK_MIN < UPC_TICK_MAX);
    CHECK(UPC_ATOMIC_HINT_DEFAULT != UPC_ATOMIC_HINT_LATENCY && UPC_ATOMIC_HINT_LATENCY != UPC_ATOMIC_HINT_THROUGHPUT);
    return finish();
}

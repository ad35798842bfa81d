// threads: 1 2 3 4
// Bit fields and unions in shared memory.
#include <upc.h>
#include "check.h"

struct flags {
    unsigned ready : 1, kind : 3;
    int signed_field : 5;
    unsigned : 0;
    unsigned long wide : 40;
};
union word {
    unsigned char bytes[4];
    unsigned number;
    struct {
        unsigned short low, high;
    } halves;
};
shared struct flags flags[THREADS];
shared union word words[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;

    flags[MYTHREAD].ready = 1;
    flags[MYTHREAD].kind = (unsigned)MYTHREAD & 7;
    flags[MYTHREAD].signed_field = -7;
    flags[MYTHREAD].wide = 1UL << 39;
    flags[MYTHREAD].wide |= 5;
    flags[MYTHREAD].kind ^= 1;
    words[MYTHREAD].number = 0x01020304;
    words[MYTHREAD].bytes[0]++;
    upc_barrier;
    CHECK(flags[next].ready && flags[next].kind == ((unsigned)next & 7 ^ 1));
    CHECK_EQUAL(flags[next].signed_field, -7);
    CHECK_EQUAL(flags[next].wide, (1L << 39) + 5);
    CHECK_EQUAL(words[next].number, 0x01020305);
    CHECK_EQUAL(words[next].halves.high, 0x0102);
    CHECK_EQUAL(words[next].bytes[3], 1);
    struct flags copy = flags[next];
    CHECK_EQUAL(copy.signed_field, -7);
    union word w = words[next];
    CHECK_EQUAL(w.halves.low, 0x0305);
    return finish();
}

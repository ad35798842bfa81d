// threads: 1 2 3 4 7
// Every basic type can be shared, as scalar and as array element.
#include <upc.h>
#include <stdint.h>
#include "check.h"

shared char c[THREADS];
shared signed char sc[THREADS];
shared unsigned char uc[THREADS];
shared short s[THREADS];
shared unsigned short int us[THREADS];
shared int i[THREADS];
shared unsigned u[THREADS];
shared long l[THREADS];
shared unsigned long ul[THREADS];
shared long long ll[THREADS];
shared unsigned long long ull[THREADS];
shared float f[THREADS];
shared double d[THREADS];
shared long double ld[THREADS];
shared _Bool b[THREADS];
shared double _Complex z[THREADS];
shared uint8_t u8[THREADS];
shared int64_t i64[THREADS];
shared size_t size[THREADS];
shared enum color { RED, GREEN = 5, BLUE } color[THREADS];
shared void *shared pv[THREADS];
char *shared private_pointer[THREADS];
shared long double scalar_ld;
shared _Bool scalar_bool;

int main(void)
{
    int t = MYTHREAD, o = (MYTHREAD + 1) % THREADS;
    static char buffer[10];

    c[t] = (char)(t + 1), sc[t] = (signed char)(-t - 1), uc[t] = (unsigned char)(255 - t);
    s[t] = (short)(-1000 - t), us[t] = (unsigned short)(65535 - t);
    i[t] = -100000 - t, u[t] = 4000000000u + t;
    l[t] = -10000000000L - t, ul[t] = ~0ul - t;
    ll[t] = -1LL << 62, ull[t] = ~0ULL - t;
    f[t] = 1.5f + t, d[t] = 1e100 + t, ld[t] = 1.0L / 3 + t;
    b[t] = t + 5, z[t] = t + 2.0i;
    u8[t] = 200, i64[t] = INT64_MIN + t, size[t] = sizeof(size_t);
    color[t] = BLUE;
    pv[t] = &ld[t];
    private_pointer[t] = buffer + t;
    if (t == 0)
        scalar_ld = 0.1L, scalar_bool = 17;
    upc_barrier;
    CHECK(c[o] == o + 1 && sc[o] == -o - 1 && uc[o] == 255 - o);
    CHECK(s[o] == -1000 - o && us[o] == 65535 - o);
    CHECK(i[o] == -100000 - o && u[o] == 4000000000u + o);
    CHECK(l[o] == -10000000000L - o && ul[o] == ~0ul - o);
    CHECK(ll[o] == -1LL << 62 && ull[o] == ~0ULL - o);
    CHECK(f[o] == 1.5f + o && d[o] == 1e100 + o && ld[o] == 1.0L / 3 + o);
    CHECK(b[o] == 1 && __real__ z[o] == o && __imag__ z[o] == 2);
    CHECK(u8[o] == 200 && i64[o] == INT64_MIN + o && size[o] == 8);
    CHECK(color[o] == BLUE && pv[o] == &ld[o]);
    CHECK(upc_threadof(pv[o]) == o);
    CHECK(private_pointer[t] == buffer + t);
    CHECK(scalar_ld == 0.1L && scalar_bool == 1);
    return finish();
}

// threads: 1 2 3 4 7
// Shared arrays of every arithmetic type: complex, bool, 128 bits, long double, enumerations; their
// conversions.
#include <upc.h>
#include "check.h"
#include <math.h>
#include <complex.h>
#include <stdint.h>
#include <stdbool.h>
shared double _Complex z[THREADS];
shared float complex fz[2 * THREADS];
shared [2] uint64_t u64[2 * THREADS];
shared bool ok[THREADS];
shared int8_t i8[THREADS];
shared long double ld[THREADS];
shared __int128 big[THREADS];
shared unsigned char uc[THREADS];
shared short sh[THREADS];
shared float f[THREADS];

shared enum { A, B = 5, C } en[THREADS];

int main()
{
    int t = (MYTHREAD + 1) % THREADS;
    z[MYTHREAD] = 1 + 2 * I;
    z[MYTHREAD] *= I;
    fz[MYTHREAD] = csqrtf(-4);
    u64[2 * MYTHREAD + 1] = ~0ULL;
    ok[MYTHREAD] = !!42;
    ok[MYTHREAD] = ok[MYTHREAD] && 1;
    i8[MYTHREAD] = -1;
    i8[MYTHREAD] >>= 1;
    ld[MYTHREAD] = 1.0L / 3;
    big[MYTHREAD] = (__int128)1 << 100;
    uc[MYTHREAD] = 255;
    uc[MYTHREAD]++;
    sh[MYTHREAD] = 32767;
    sh[MYTHREAD] += 1;
    f[MYTHREAD] = 1;
    f[MYTHREAD] /= 3;
    en[MYTHREAD] = C;
    upc_barrier;
    CHECK(creal(z[t]) == -2 && cimag(z[t]) == 1 && __real__ z[t] == -2);
    CHECK(cimagf(fz[t]) > 1.9);
    CHECK(u64[2 * t + 1] + 1 == 0);
    CHECK(ok[t] == 1 && sizeof(ok[t]) == 1);
    CHECK(i8[t] == -1);
    CHECK(ld[t] * 3 == 1);
    CHECK((int)(big[t] >> 98) == 4);
    CHECK(uc[t] == 0 && sh[t] == -32768 && f[t] == 1.0f / 3 && en[t] == C);
    CHECK(uc[t]-- == 0 || 1);
    upc_barrier;
    z[MYTHREAD] += fz[MYTHREAD];
    __imag__ z[MYTHREAD] = 7;
    CHECK(cimag(z[MYTHREAD]) == 7);
    ld[MYTHREAD]++;
    --f[MYTHREAD];
    CHECK(fabsf(f[MYTHREAD] + 2.0f / 3) < 1e-6);
    en[MYTHREAD]++;
    CHECK_EQUAL(en[MYTHREAD], 7);
    double d = sqrt(u64[2 * t] + 16.0);
    CHECK(d == 4);
    CHECK(isfinite(ld[t]));
    CHECK(!isnan(f[t]));
    CHECK(fmax(f[MYTHREAD], 3) == 3);
    CHECK(signbit(f[MYTHREAD]));
    return finish();
}

// threads: 1 2 3 4 7
// Operands with side effects are evaluated once; commas, conditionals and statement expressions as
// operands.
#include <upc.h>
#include "check.h"

typedef struct {
    int a, b;
} pair_t;

shared pair_t pairs[4 * THREADS];
shared int x, y, arr[4 * THREADS];
shared [2] int bl[4 * THREADS];
static int calls;

static shared pair_t *next(void) { return &pairs[calls++ % (4 * THREADS)]; }

static int side(int v)
{
    calls++;
    return v;
}

int main(void)
{
    int i, *lp;
    shared int *p, *q;
    shared [2] int *b;
    upc_forall (i = 0; i < 4 * THREADS; i++; &pairs[i]) {
        pairs[i].a = i;
        pairs[i].b = -i;
        arr[i] = i;
    }
    upc_forall (i = 0; i < 4 * THREADS; i++; &bl[i])
        bl[i] = 10 * i;
    upc_barrier;
    CHECK_EQUAL(next()->a, 0);
    CHECK_EQUAL(next()->a, 1);
    CHECK_EQUAL((*next()).b, -2);
    CHECK_EQUAL(calls, 3);
    p = (side(1), arr + 1);
    CHECK_EQUAL(*p, 1);
    CHECK_EQUAL(*(side(2), p + 1), 2);
    CHECK_EQUAL((side(0), arr)[2], 2);
    q = ({
        shared int *t = p;
        t += 2;
        t;
    });
    CHECK_EQUAL(*q, 3);
    CHECK_EQUAL(({
                    int s = 0;
                    for (p = arr; p < arr + 4; p++)
                        s += *p;
                    s;
                }),
                6);
    CHECK_EQUAL(*(MYTHREAD >= 0 ? p - 1 : q), 3);
    p = MYTHREAD < 0 ? q : MYTHREAD < -1 ? NULL : arr;
    CHECK(p == arr);
    CHECK_EQUAL((p ? *p : -1), 0);
    CHECK_EQUAL((p ?: q)[1], 1);
    CHECK_EQUAL(p == NULL ? 1 : p[2], 2);
    i = 0;
    CHECK_EQUAL(arr[i++], 0);
    CHECK_EQUAL(arr[++i], 2);
    CHECK_EQUAL(i, 2);
    CHECK_EQUAL(arr[i--], 2);
    CHECK_EQUAL(arr[side(3)], 3);
    CHECK_EQUAL(bl[arr[2]], 20);
    CHECK_EQUAL(bl[bl[1] / 10 + 1], 20);
    b = &bl[arr[1]];
    CHECK_EQUAL(*b, 10);
    CHECK_EQUAL(b[arr[1]], 20);
    CHECK_EQUAL(*(b + arr[2]), 30);
    CHECK_EQUAL(*(b += arr[1]), 20);
    CHECK_EQUAL(upc_phaseof(b), 0);
    upc_barrier;
    if (MYTHREAD == 0) {
        calls = 0;
        arr[side(1)] += 5;
        CHECK_EQUAL(calls, 1);
        CHECK_EQUAL(arr[1], 6);
        arr[side(1)]++;
        ++arr[side(1)];
        CHECK_EQUAL(calls, 3);
        CHECK_EQUAL(arr[1]--, 8);
        CHECK_EQUAL(--arr[1], 6);
        next()->a += 100;
        CHECK_EQUAL(calls, 4);
        CHECK_EQUAL(pairs[3].a, 103);
        (*next()).b++;
        CHECK_EQUAL(calls, 5);
        x = y = arr[0] = 7;
        CHECK_EQUAL(x + y + arr[0], 21);
        x += y -= 2;
        CHECK_EQUAL(x, 12);
        CHECK_EQUAL(y, 5);
        x <<= 2;
        x >>= 1;
        x ^= 1;
        x |= 6;
        x &= ~1;
        x %= 20;
        x *= 3;
        x /= 2;
        CHECK_EQUAL(x, ((((((12 << 2 >> 1) ^ 1) | 6) & ~1) % 20) * 3 / 2));
        (x) = 3;
        (x)++;
        ((x)) += 1;
        CHECK_EQUAL(x, 5);
        CHECK_EQUAL(x++ + y, 10);
        CHECK_EQUAL((x, y), 5);
        *&x = 9;
        CHECK_EQUAL(x, 9);
        (*(&x)) += 1;
        CHECK_EQUAL(x, 10);
        lp = (int *)&x;
        *lp = 4;
        CHECK_EQUAL(x, 4);
        i = x == 4 && y == 5 || arr[0];
        CHECK_EQUAL(i, 1);
        i = x > y ? x : y;
        CHECK_EQUAL(i, 5);
        i = -x + ~y + !x;
        CHECK_EQUAL(i, -10);
        x = arr[0] = arr[1] = 3;
        CHECK_EQUAL(x, 3);
        pairs[0] = pairs[1];
        pairs[2] = *next();
        CHECK_EQUAL(pairs[0].b, pairs[1].b);
        pairs[1] = (pair_t){5, 6};
        CHECK_EQUAL(pairs[1].a * pairs[1].b, 30);
        pairs[1].a = pairs[1].b = 2;
        *(shared pair_t *)&pairs[2] = pairs[1];
        CHECK_EQUAL(pairs[2].b, 2);
        double d = x;
        d += x;
        d = x * 1.5;
        x = d;
        CHECK_EQUAL(x, 4);
        x = 3.99;
        CHECK_EQUAL(x, 3);
        char c = x;
        c += y;
        CHECK_EQUAL(c, 8);
        x += 1.6;
        CHECK_EQUAL(x, 4);
        x *= 2.5f;
        CHECK_EQUAL(x, 10);
    }
    upc_barrier;
    return finish();
}

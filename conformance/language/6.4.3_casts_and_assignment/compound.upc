// threads: 1 2 3 4
// All operators on shared operands: assignments, increments, conversions, conditions, order of evaluation.
#include <upc.h>
#include "check.h"

shared int a[THREADS], b[THREADS];
shared double d[THREADS];
shared unsigned char small[THREADS];
shared [2] int blocked[4 * THREADS];
static int calls;

static int index_of(int i)
{
    calls++;
    return i;
}

static int twice(int x)
{
    return 2 * x;
}

int main(void)
{
    int t = (MYTHREAD + 1) % THREADS, x, y;

    CHECK_EQUAL(a[t] = 12, 12);
    a[t] += 3;
    a[t] -= 1;
    a[t] *= 4;
    a[t] /= 5;
    CHECK_EQUAL(a[t], 11);
    a[t] %= 4;
    a[t] <<= 4;
    a[t] >>= 1;
    a[t] |= 3;
    a[t] &= ~1;
    a[t] ^= 0xff;
    CHECK_EQUAL(a[t], (24 | 3) & ~1 ^ 0xff);
    a[t] = 5;
    CHECK_EQUAL(a[t]++, 5);
    CHECK_EQUAL(++a[t], 7);
    CHECK_EQUAL(a[t]--, 7);
    CHECK_EQUAL(--a[t], 5);
    CHECK_EQUAL(-a[t] + +a[t] + ~a[t] + !a[t], -6);
    d[t] = 7;
    d[t] /= 2;
    d[t] += a[t];
    CHECK(d[t] == 8.5);
    a[t] = d[t];
    CHECK_EQUAL(a[t], 8);
    a[t] += 2.75;
    CHECK_EQUAL(a[t], 10);
    small[t] = 250;
    small[t] += 10;
    CHECK_EQUAL(small[t], 4);
    CHECK_EQUAL(small[t] - 5, -1);
    x = a[t] = b[t] = 3;
    CHECK(x == 3 && a[t] == 3 && b[t] == 3);
    x = a[t] > 2 ? b[t] : a[t];
    CHECK_EQUAL(x, 3);
    CHECK(a[t] && b[t] && !(a[t] - 3) && (a[t] == b[t]));
    x = (a[t], b[t] + 1);
    CHECK_EQUAL(x, 4);
    if (a[t])
        x = 1;
    while (b[t])
        b[t]--;
    CHECK_EQUAL(b[t], 0);
    do
        b[t] += 2;
    while (b[t] < 7);
    CHECK_EQUAL(b[t], 8);
    switch (b[t]) {
    case 8:
        x = 10;
        break;
    default:
        x = 0;
    }
    CHECK_EQUAL(x, 10);
    for (b[t] = 0; b[t] < 5; b[t]++)
        x++;
    CHECK_EQUAL(x, 15);

    // Subscripts are evaluated once.
    calls = 0;
    a[index_of(t)] += 5;
    a[index_of(t)]++;
    x = a[index_of(t)];
    CHECK(calls == 3 && x == 9);
    y = 0;
    blocked[4 * MYTHREAD + y++] = 4;
    blocked[4 * MYTHREAD + y++] = 5;
    CHECK(y == 2 && blocked[4 * MYTHREAD] == 4 && blocked[4 * MYTHREAD + 1] == 5);
    blocked[blocked[4 * MYTHREAD] - 4 + 4 * MYTHREAD] = twice(blocked[4 * MYTHREAD + 1]);
    CHECK_EQUAL(blocked[4 * MYTHREAD], 10);
    CHECK_EQUAL((char)(a[t] + 256), 9);
    CHECK_EQUAL((unsigned char)-a[t], 247);
    CHECK_EQUAL(*&a[t], 9);
    CHECK(&*(a + t) == &a[t]);
    CHECK_EQUAL((a)[t] * (b[t]) + (a[t]), 54);
    CHECK_EQUAL(1 ? a[t] : 0, 9);
    CHECK_EQUAL(sizeof a[t]++, 4);
    CHECK_EQUAL(a[t], 9);
    int private_array[3] = {a[t], b[t], a[t] + b[t]};
    CHECK_EQUAL(private_array[2], 14);
    printf("%s", a[t] == 9 ? "" : "no\n");
    __typeof__(a[t] + 1) typed = a[t] + 1;
    CHECK_EQUAL(typed, 10);
    CHECK_EQUAL(({ int s = a[t]; s + 1; }), 10);
    return finish();
}

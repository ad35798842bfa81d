// threads: 1 2 3 4 7
// flags: -std=gnu89
// A program that is compiled as C of 1989: what is written in place of UPC must be that, too.
#include <upc_relaxed.h>
#include "check.h"

shared int a[10 * THREADS];
shared [3] double b[6 * THREADS];
shared int *p;
strict shared int flag;

int main()
{
    int i, inline_ = 0;

    upc_forall (i = 0; i < 10 * THREADS; i++; &a[i])
        a[i] = i;
    upc_forall (i = 0; i < 6 * THREADS; i++; &b[i]) {
        b[i] = i;
        inline_++;
    }
    upc_forall (i = 0; i < 10 * THREADS; i++; i)
        a[i]++;
    upc_barrier;
    CHECK_EQUAL(inline_, 6);
    p = &a[1];
    CHECK_EQUAL(*p++, 2);
    CHECK_EQUAL(*p, 3);
    CHECK(b[6 * THREADS - 1] == 6 * THREADS - 1);
    if (MYTHREAD == 0)
        flag = 1;
    while (!flag)
        ;
    for (i = 0; i < 3; i++) {
        static shared int counts[THREADS] = {4};

        upc_barrier i;
        counts[MYTHREAD] += i;
        if (i == 2)
            CHECK_EQUAL(counts[MYTHREAD], (MYTHREAD ? 0 : 4) + 3);
    }
    return finish();
}

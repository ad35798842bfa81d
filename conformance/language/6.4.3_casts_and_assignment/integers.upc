// threads: 1 2 3 4
// Pointers-to-shared of own affinity and integers: an integer tells addresses apart; the way back is closed
// (6.4.3, constraint 1).
#include <upc.h>
#include <stdint.h>
#include "check.h"

shared [] int a[10];
shared int b[THREADS];

int main(void)
{
    unsigned long first = (unsigned long)&a[0], second = (unsigned long)&a[3];
    long difference = (long)(second - first);

    CHECK_EQUAL(difference, 3 * sizeof(int));
    CHECK(second == (unsigned long)(a + 3) && second != first);
    uintptr_t mine = (uintptr_t)(int *)&b[MYTHREAD];
    *(int *)mine = MYTHREAD + 3;
    CHECK_EQUAL(b[MYTHREAD], MYTHREAD + 3);
    CHECK(((uintptr_t)(int *)&b[MYTHREAD] & 3) == 0);
    printf("%s", (unsigned long)(shared void *)NULL ? "null is not zero\n" : "");
    return finish();
}

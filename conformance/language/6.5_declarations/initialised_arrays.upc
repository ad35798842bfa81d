// threads: 1 2 3 4
// modes: static
// Initialised shared arrays that are spread over threads.
#include <upc.h>
#include "check.h"

shared int cyclic[6] = {10, 11, 12, 13, 14, 15};
shared [2] int blocked[9] = {0, 1, 2, 3, 4, 5, 6, 7};
shared int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
shared struct pair {
    short a, b;
} pairs[3] = {{1, 2}, {.b = 4}, {5}};

int main(void)
{
    int i;

    for (i = 0; i < 6; i++) {
        CHECK_EQUAL(cyclic[i], 10 + i);
        CHECK_EQUAL(grid[i / 3][i % 3], i + 1);
    }
    for (i = 0; i < 9; i++)
        CHECK_EQUAL(blocked[i], i < 8 ? i : 0);
    CHECK(pairs[0].a == 1 && pairs[0].b == 2 && pairs[1].a == 0 && pairs[1].b == 4 && pairs[2].a == 5);
    return finish();
}

// threads: 1 2 3 4 7
// Initialised shared arrays in which THREADS is an inner dimension, or one of three.
#include <upc.h>
#include "check.h"

shared int last[2][THREADS] = {{1}, {2}};
shared int middle[2][THREADS][2] = {{{1, 2}}, {{3, 4}}};
shared [2] double times[2][2 * THREADS] = {{0.5, 1.5}, {2.5, 3.5}};
shared [2] int first[THREADS][2] = {{1, 2}};
shared int flat[2][THREADS] = {[1][0] = 6};
shared struct { int a; char c[4]; } records[2][THREADS] = {{{1, "ab"}}, {{2, "cd"}}};
shared [] char text[2][4] = {"abc", "de"};

int main(void)
{
    int i;

    CHECK_EQUAL(last[0][0], 1);
    CHECK_EQUAL(last[1][0], 2);
    CHECK_EQUAL(middle[0][0][1], 2);
    CHECK_EQUAL(middle[1][0][0], 3);
    CHECK_EQUAL(middle[1][0][1], 4);
    CHECK(times[0][0] == 0.5 && times[0][1] == 1.5 && times[1][0] == 2.5 && times[1][1] == 3.5);
    CHECK(first[0][0] == 1 && first[0][1] == 2);
    CHECK_EQUAL(flat[1][0], 6);
    CHECK_EQUAL(flat[0][0], 0);
    CHECK(records[1][0].a == 2 && records[1][0].c[1] == 'd' && records[0][0].c[0] == 'a');
    CHECK(text[0][2] == 'c' && text[1][1] == 'e' && text[1][2] == 0 && text[1][3] == 0);
    for (i = 1; i < THREADS; i++) {
        CHECK_EQUAL(last[0][i] + last[1][i], 0);
        CHECK_EQUAL(middle[0][i][0] + middle[1][i][1], 0);
        CHECK(times[1][2 * i] == 0 && records[1][i].a == 0);
    }
    return finish();
}

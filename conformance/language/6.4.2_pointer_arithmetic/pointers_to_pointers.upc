// threads: 1 2 3 4 7
// Shared pointers-to-shared, private pointers to them, arrays of them: directories of blocks of different sizes.
#include <upc.h>
#include "check.h"

typedef shared [] int *block_t;
shared block_t directory[THREADS];
shared [] int *shared single;
shared int *shared *shared chain;
shared int target;
shared int *shared level_one;
shared [2] int *shared [3] table[6 * THREADS];
shared [2] int data[4 * THREADS];

int main(void)
{
    int i, j;
    block_t *own = (block_t *)&directory[MYTHREAD];

    directory[MYTHREAD] = upc_alloc((MYTHREAD + 1) * sizeof(int));
    for (i = 0; i <= MYTHREAD; i++)
        (*own)[i] = 10 * MYTHREAD + i;
    if (MYTHREAD == 0) {
        single = directory[0];
        level_one = &target;
        chain = &level_one;
    }
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        CHECK_EQUAL(upc_threadof(directory[i]), i);
        CHECK_EQUAL(upc_threadof(&directory[i]), i);
        for (j = 0; j <= i; j++)
            CHECK_EQUAL(directory[i][j], 10 * i + j);
        CHECK_EQUAL(*directory[i], 10 * i);
    }
    CHECK(single == directory[0]);
    CHECK_EQUAL(single[0], 0);
    CHECK(*chain == &target);
    if (MYTHREAD == THREADS - 1)
        **chain = 99;
    upc_barrier;
    CHECK_EQUAL(target, 99);
    CHECK_EQUAL(*level_one, 99);

    for (i = MYTHREAD; i < 4 * THREADS; i += THREADS) {
        data[i] = 7 * i;
        table[i] = &data[4 * THREADS - 1 - i];
    }
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&table[i]), i / 3 % THREADS);
        CHECK_EQUAL(*table[i], 7 * (4 * THREADS - 1 - i));
        CHECK_EQUAL(table[i] - data, 4 * THREADS - 1 - i);
        CHECK_EQUAL(upc_phaseof(table[i]), (4 * THREADS - 1 - i) % 2);
    }
    CHECK(table[4 * THREADS] == NULL);

    // Pointers to a pointer in shared space: the pointer moves in place.
    upc_barrier;
    if (MYTHREAD == 0) {
        shared [2] int *shared [3] *pp = &table[0];

        (*pp)--;
        CHECK_EQUAL(**pp, 7 * (4 * THREADS - 2));
        table[0]++;
        CHECK_EQUAL(*table[0], 7 * (4 * THREADS - 1));
        table[1] += 1;
        CHECK(table[1] == table[0]);
        pp += 2;
        CHECK(pp == &table[2]);
    }
    upc_barrier;
    upc_free(directory[MYTHREAD]);

    // Private pointers to private pointers-to-shared.
    shared [2] int *p = data, **pp = &p, ***ppp = &pp;
    ++**ppp;
    CHECK(p == &data[1]);
    CHECK_EQUAL(*(**ppp)++, 7);
    CHECK(**pp == 14 && *pp == data + 2);
    shared [2] int *array[4], **end = array;
    for (i = 0; i < 4; i++)
        *end++ = data + i;
    CHECK(end - array == 4 && *array[3] == 21);
    return finish();
}

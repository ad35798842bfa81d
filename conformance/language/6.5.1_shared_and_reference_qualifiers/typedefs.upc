// threads: 1 2 3 4 7
// Typedefs of shared types, of pointers to them, and of arrays.
#include <upc.h>
#include "check.h"

typedef int number_t;
typedef shared int shared_int;
typedef shared [4] double blocked_t;
typedef shared int *cyclic_pointer_t;
typedef blocked_t *blocked_pointer_t;
typedef int row_t[5];
typedef struct matrix {
    int rows, columns;
    shared [] double *elements;
} matrix_t;
typedef shared matrix_t *matrix_pointer_t;
typedef strict shared int flag_t;

shared_int scalar, array[3 * THREADS];
blocked_t blocks[8 * THREADS];
shared row_t rows[THREADS];
shared [5] row_t blocked_rows[THREADS];
shared matrix_t matrices[THREADS];
shared number_t numbers[THREADS];
flag_t flag;

int main(void)
{
    int i;
    cyclic_pointer_t p = array;
    blocked_pointer_t q = blocks;
    matrix_pointer_t m = &matrices[MYTHREAD];
    blocked_t *also = &blocks[3];

    for (i = 0; i < 3 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(p + i), i % THREADS);
    for (i = 0; i < 8 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(q + i), i / 4 % THREADS);
    CHECK_EQUAL(also - q, 3);
    for (i = 0; i < 5; i++) {
        rows[MYTHREAD][i] = 10 * MYTHREAD + i;
        blocked_rows[MYTHREAD][i] = 20 * MYTHREAD + i;
        CHECK_EQUAL(upc_threadof(&rows[MYTHREAD][i]), (5 * MYTHREAD + i) % THREADS);
        CHECK_EQUAL(upc_threadof(&blocked_rows[MYTHREAD][i]), MYTHREAD);
    }
    m->rows = 2;
    m->columns = MYTHREAD + 1;
    m->elements = upc_alloc(2 * (MYTHREAD + 1) * sizeof(double));
    m->elements[2 * MYTHREAD + 1] = MYTHREAD + 0.5;
    numbers[MYTHREAD] = MYTHREAD;
    if (MYTHREAD == THREADS - 1)
        scalar = 3, flag = 4;
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        matrix_t copy = matrices[i];

        CHECK_EQUAL(copy.columns, i + 1);
        CHECK(copy.elements[2 * i + 1] == i + 0.5);
        CHECK(matrices[i].elements[2 * i + 1] == i + 0.5);
        CHECK_EQUAL(rows[i][4], 10 * i + 4);
        CHECK_EQUAL(blocked_rows[i][3], 20 * i + 3);
        CHECK_EQUAL(numbers[i], i);
    }
    CHECK_EQUAL(scalar + flag, 7);
    {
        // A name of a type can be hidden by a variable.
        int shared_int = 2, number_t = 3;
        CHECK_EQUAL(shared_int * number_t, 6);
    }
    return finish();
}

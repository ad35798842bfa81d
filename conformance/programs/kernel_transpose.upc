// threads: 1 2 3 4 7
// The manner of FT: complex numbers in shared arrays of large structures, reached through pointers to those arrays that
// change places, and a transposition that fetches a piece from every thread with upc_memget.
#include <upc_relaxed.h>
#include "check.h"

#define SIDE 6 /* rows of each thread */
#define MOST 7 /* threads */

typedef struct {
    double real, imag;
} dcomplex;
typedef struct {
    dcomplex cell[SIDE * SIDE * MOST];
} field_t;

shared field_t u0[THREADS], u1[THREADS], u2[THREADS];
shared dcomplex sums[THREADS];
#define WIDTH (SIDE * THREADS)
#define MY(field) ((dcomplex *)(field)[MYTHREAD].cell)

static dcomplex value(int row, int column)
{
    dcomplex c;

    c.real = row * 100 + column;
    c.imag = row - column;
    return c;
}

/* Rows of `from` become columns of `to`; block by block, over a piece of private memory. */
static void transpose(shared field_t *from, shared field_t *to)
{
    static dcomplex piece[SIDE];
    dcomplex *own = MY(to);
    int thread, i, j;

    upc_barrier;
    for (thread = 0; thread < THREADS; thread++)
        for (i = 0; i < SIDE; i++) {
            upc_memget(piece, &from[thread].cell[i * WIDTH + MYTHREAD * SIDE], SIDE * sizeof(dcomplex));
            for (j = 0; j < SIDE; j++)
                own[j * WIDTH + thread * SIDE + i] = piece[j];
        }
    upc_barrier;
}

int main(void)
{
    shared field_t *from = u0, *to = u1, *swap;
    int i, j, round, thread;
    dcomplex sum = {0, 0};

    for (i = 0; i < SIDE; i++)
        for (j = 0; j < WIDTH; j++)
            MY(u0)[i * WIDTH + j] = value(MYTHREAD * SIDE + i, j);
    for (round = 1; round <= 3; round++) {
        transpose(from, to);
        for (i = 0; i < SIDE; i++)
            for (j = 0; j < WIDTH; j++) {
                dcomplex found = MY(to)[i * WIDTH + j], expected;

                expected = round % 2 ? value(j, MYTHREAD * SIDE + i) : value(MYTHREAD * SIDE + i, j);
                CHECK(found.real == expected.real && found.imag == expected.imag);
            }
        swap = from;
        from = to;
        to = swap;
    }
    /* Thread by thread, also with the members of a remote structure one by one and as a whole. */
    upc_memcpy(&u2[MYTHREAD], &from[(MYTHREAD + 1) % THREADS], sizeof(field_t));
    for (i = 0; i < SIDE * WIDTH; i++) {
        sum.real += u2[MYTHREAD].cell[i].real;
        sum.imag += from[(MYTHREAD + 1) % THREADS].cell[i].imag;
    }
    sums[MYTHREAD] = sum;
    upc_barrier;
    sum.real = sum.imag = 0;
    for (thread = 0; thread < THREADS; thread++) {
        dcomplex part = sums[thread];

        sum.real += part.real;
        sum.imag += part.imag;
    }
    CHECK(sum.real == 101.0 * WIDTH * WIDTH * (WIDTH - 1) / 2);
    CHECK(sum.imag == 0);
    return finish();
}

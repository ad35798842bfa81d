// threads: 1 2 3 4 7
// Size operators on types, objects and expressions that are not evaluated, in dimensions of private
// arrays, for every layout.
#include <upc.h>
#include <stddef.h>
#include "check.h"

typedef struct {
    double d;
    char c;
} cell_t;

shared cell_t c1[5 * THREADS];
shared [3] cell_t c3[7 * THREADS];
shared [] cell_t c0[5];
shared [4] short m[3][4 * THREADS];
shared int scalar;
shared [2] char odd[3 * THREADS];
shared [*] double star[5 * THREADS];
shared [3] int *p3;
shared int *p1;
shared [] int *p0;
typedef shared [6] int six;
typedef shared [6] int many[12 * THREADS];
shared [3] int rows[THREADS][3];
static int called;

static shared [3] int *evaluated(void)
{
    called++;
    return p3;
}

int main(void)
{
    int i = 0;
    char by_size[sizeof(c1[0])];
    int by_block[upc_blocksizeof(c3)];
    short by_elem[upc_elemsizeof(m)];
    CHECK_EQUAL(sizeof by_size, 16);
    CHECK_EQUAL(sizeof by_block, 12);
    CHECK_EQUAL(sizeof by_elem, 4);
    CHECK_EQUAL(upc_blocksizeof(c1), 1);
    CHECK_EQUAL(upc_blocksizeof c3, 3);
    CHECK_EQUAL(upc_blocksizeof(c0), 0);
    CHECK_EQUAL(upc_blocksizeof(m), 4);
    CHECK_EQUAL(upc_blocksizeof(scalar), 1);
    CHECK_EQUAL(upc_blocksizeof(star), 5);
    CHECK_EQUAL(upc_blocksizeof(c3[0]), 3);
    CHECK_EQUAL(upc_blocksizeof(c3[0].d), 0);
    CHECK_EQUAL(upc_blocksizeof(*p3), 3);
    CHECK_EQUAL(upc_blocksizeof * p1, 1);
    CHECK_EQUAL(upc_blocksizeof(p0[2]), 0);
    CHECK_EQUAL(upc_blocksizeof(six), 6);
    CHECK_EQUAL(upc_blocksizeof(many), 6);
    CHECK_EQUAL(upc_blocksizeof(shared [9] char), 9);
    CHECK_EQUAL(upc_blocksizeof(shared char), 1);
    CHECK_EQUAL(upc_blocksizeof(shared [] char), 0);
    CHECK_EQUAL(upc_blocksizeof(rows[0]), 3);
    CHECK_EQUAL(upc_blocksizeof(*evaluated()), 3);
    CHECK_EQUAL(upc_blocksizeof(p1[i++]), 1);
    CHECK_EQUAL(upc_elemsizeof(c1), 16);
    CHECK_EQUAL(upc_elemsizeof(m), 2);
    CHECK_EQUAL(upc_elemsizeof(m[1]), 2);
    CHECK_EQUAL(upc_elemsizeof(scalar), 4);
    CHECK_EQUAL(upc_elemsizeof(*p3), 4);
    CHECK_EQUAL(upc_elemsizeof(many), 4);
    CHECK_EQUAL(upc_elemsizeof(shared cell_t), 16);
    CHECK_EQUAL(upc_elemsizeof(shared [2] cell_t[2 * THREADS]), 16);
    CHECK_EQUAL(upc_elemsizeof(rows), 4);
    CHECK_EQUAL(upc_localsizeof(c1), 5 * 16);
    CHECK_EQUAL(upc_localsizeof(c3), 9 * 16);
    CHECK_EQUAL(upc_localsizeof(m), 3 * 4 * 2);
    CHECK_EQUAL(upc_localsizeof(odd), 4);
    CHECK_EQUAL(upc_localsizeof(star), 5 * 8);
    CHECK_EQUAL(upc_localsizeof(many), 48);
    CHECK_EQUAL(upc_localsizeof(shared [3] int[3 * THREADS]), 12);
    CHECK_EQUAL(upc_localsizeof(rows), 12);
    CHECK_EQUAL(upc_localsizeof(c0), 5 * 16);
    CHECK_EQUAL(sizeof(c1), 5 * 16 * THREADS);
    CHECK_EQUAL(sizeof m, 3 * 4 * 2 * THREADS);
    CHECK_EQUAL(sizeof m[0], 8 * THREADS);
    CHECK_EQUAL(sizeof(m) / sizeof(m[0]), 3);
    CHECK_EQUAL(sizeof(m) / sizeof(m[0][0]), 12 * THREADS);
    CHECK_EQUAL(sizeof(scalar), 4);
    CHECK_EQUAL(sizeof p3, sizeof(shared void *));
    CHECK_EQUAL(sizeof *p3, 4);
    CHECK_EQUAL(sizeof(*evaluated()), 4);
    CHECK_EQUAL(sizeof(many), 48 * THREADS);
    CHECK_EQUAL(sizeof(shared int), 4);
    CHECK_EQUAL(sizeof(shared [5] double *), sizeof p1);
    CHECK_EQUAL(sizeof(c3[i++].c), 1);
    CHECK_EQUAL(sizeof c3[0], 16);
    CHECK_EQUAL(sizeof(c3)[0].d, 8);
    CHECK_EQUAL(sizeof(c0), 80);
    CHECK_EQUAL(sizeof &c0[1], sizeof p0);
    CHECK_EQUAL(sizeof(shared [3] cell_t[3 * THREADS]), 48 * THREADS);
    CHECK_EQUAL(sizeof(shared [3] int(*)[3]), sizeof p3);
    CHECK_EQUAL(sizeof(struct {
                    shared int *p;
                    int n;
                }),
                sizeof p3 + 8);
    CHECK_EQUAL(sizeof rows[0], 12);
    CHECK_EQUAL(sizeof(rows) / sizeof *rows, THREADS);
    CHECK_EQUAL(sizeof scalar + 1, 5);
    CHECK_EQUAL(sizeof(scalar) * 2, 8);
    CHECK_EQUAL(-sizeof(char) + 2, 1);
    CHECK_EQUAL(i, 0);
    CHECK_EQUAL(called, 0);
    CHECK_EQUAL(offsetof(cell_t, c), 8);
    CHECK((upc_localsizeof(c1) - 200) > 0 && sizeof(upc_elemsizeof(c1)) == sizeof(size_t));
    for (size_t k = 0; k < sizeof c1 / sizeof *c1; k++)
        i++;
    CHECK_EQUAL(i, 5 * THREADS);
    upc_forall (i = 0; i < sizeof(c3) / upc_elemsizeof(c3); i++; &c3[i])
        c3[i].c = 1;
    switch (sizeof(c1[0])) {
    case sizeof(cell_t):
        break;
    case upc_blocksizeof(six):
    default:
        CHECK(0);
    }
    return finish();
}

// threads: 1 2 3 4 7
// files: extern_unknown_other.c
// Extern shared arrays of unknown size in all uses; the sizes are in another file, named .c.
#include <upc_relaxed.h>
#include "check.h"

extern shared int cyclic[];
extern shared [4] double blocked[];
extern shared [] char text[];
extern shared struct node { int v; shared struct node *next; } nodes[];
extern shared [3] int rows[][3];
extern shared int *shared heads[];
extern shared int *private_pointer;
extern int total(shared [4] double *p, int n);
extern shared [2] int late[];
extern shared int never_used[];

static double sum(shared [4] double *p, int n)
{
    double s = 0;

    while (n-- > 0)
        s += *p++;
    return s;
}

int main(void)
{
    int i;
    extern shared int in_block[];
    shared [3] int(*row)[3] = rows;
    shared int *p = cyclic;

    upc_forall (i = 0; i < 5 * THREADS; i++; &cyclic[i])
        cyclic[i] = i;
    upc_forall (i = 0; i < 8 * THREADS; i++; &blocked[i])
        blocked[i] = i;
    upc_forall (i = 0; i < 2 * THREADS; i++; &nodes[i]) {
        nodes[i].v = i;
        nodes[i].next = &nodes[(i + 1) % (2 * THREADS)];
    }
    upc_forall (i = 0; i < 2 * THREADS; i++; rows[i]) {
        CHECK_EQUAL(upc_threadof(&rows[i][2]), MYTHREAD);
        rows[i][0] = rows[i][1] = rows[i][2] = i;
    }
    heads[MYTHREAD] = cyclic + MYTHREAD;
    in_block[MYTHREAD] = 3;
    upc_barrier;
    CHECK_EQUAL(p[THREADS], THREADS);
    CHECK_EQUAL(*(cyclic + 3), 3);
    CHECK_EQUAL(*(2 + cyclic), 2);
    CHECK_EQUAL(1 [cyclic], 1);
    CHECK_EQUAL(sum(blocked, 8 * THREADS), 8 * THREADS * (8 * THREADS - 1) / 2);
    CHECK_EQUAL(total(blocked + 1, 3), 6);
    CHECK_EQUAL(text[1], 'b');
    CHECK_EQUAL(nodes[0].next->next->v, 2 % (2 * THREADS));
    CHECK_EQUAL((*(row + 1))[2], 1);
    CHECK_EQUAL(*heads[THREADS - 1], THREADS - 1);
    CHECK_EQUAL(sizeof blocked[0], sizeof(double));
    CHECK(private_pointer == &cyclic[1]);
    CHECK_EQUAL(upc_phaseof(&late[3]), 1);
    CHECK(&cyclic[4] - cyclic == 4 && blocked < blocked + 1);
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(in_block[i], 3);
    return finish();
}

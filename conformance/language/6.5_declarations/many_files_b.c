// part of: many_files.upc
#include "many_files.h"
shared int in_b[2 * THREADS];
shared int *pb = &in_b[1];
shared int two_d[2][THREADS];

struct {
    shared int *p;
    int k;
} pair_b = {in_b, 2};
shared [2] struct node nodes_b[2 * THREADS];
shared [] int *table[2];

static int my_hook(shared rec_t *r) { return r->v + 1; }

int f_a(shared int *p)
{
    hook = my_hook;
    per_file[MYTHREAD] += 2;
    return *p + recs[MYTHREAD].v + (per_file[MYTHREAD] - 2);
}

int f_b(void) { return counter++ + limit + (hidden() - 1); }

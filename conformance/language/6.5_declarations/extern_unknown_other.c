// part of: extern_unknown.upc
#include <upc.h>

shared int cyclic[5 * THREADS];
shared [4] double blocked[8 * THREADS];
shared [] char text[] = "abc";
struct node { int v; shared struct node *next; };
shared struct node nodes[2 * THREADS];
shared [3] int rows[2 * THREADS][3];
shared int *shared heads[THREADS];
shared int *private_pointer = &cyclic[1];
shared int in_block[THREADS];
shared [2] int late[4 * THREADS];

int total(shared [4] double *p, int n)
{
    return n ? (int)*p + total(p + 1, n - 1) : 0;
}

// threads: 1 2 3 4 7
// files: many_files_b.c many_files_c.upc
// A header with shared definitions, tentative, extern and static, that three files include; one of them is
// called .c.
#include "many_files.h"
#include <stdio.h>
#include "check.h"
shared [N] int blocked[N * THREADS];
node_p head = NULL;
shared node_p shead;
upc_lock_t *lock;
const shared int limit = 77;
int (*hook)(shared rec_t *);
strict shared int flag;
extern shared int in_b[], *pb, two_d[][THREADS];

extern struct {
    shared int *p;
    int k;
} pair_b;
extern shared [2] struct node nodes_b[2 * THREADS];

int main(int argc, char **argv)
{
    int i;
    lock = upc_all_lock_alloc();
    per_file[MYTHREAD] = 1;
    counter = 5;
    for (i = 0; i < N; i++)
        blocked[N * MYTHREAD + i] = i;
    recs[MYTHREAD].v = 9;
    heads[MYTHREAD] = &in_b[MYTHREAD];
    in_b[MYTHREAD] = 3;
    upc_barrier;
    CHECK_EQUAL(f_a((shared int *)&in_b[0]), 3 + 9);
    CHECK_EQUAL(f_b(), 5 + 77);
    CHECK_EQUAL(hidden(), 1);
    CHECK_EQUAL(hidden(), 2);
    CHECK_EQUAL(per_file[MYTHREAD], 1);
    CHECK(hook && hook(&recs[MYTHREAD]) == 10);
    CHECK_EQUAL(get(2), 2);
    CHECK(pb == &in_b[1] && pair_b.p == in_b && pair_b.k == 2);
    CHECK_EQUAL(two_d[1][MYTHREAD], 0);
    CHECK_EQUAL(upc_threadof(&nodes_b[2]), 1 % THREADS);
    CHECK_EQUAL(nodes_b[0].v, 0);
    CHECK(table[0] == NULL);
    CHECK_EQUAL(counter, 6);
    if (MYTHREAD == 0) {
        shead = (node_p)upc_alloc(sizeof(struct node));
        shead->v = 4;
        shead->next = NULL;
        flag = 1;
    } else
        while (!flag)
            ;
    CHECK_EQUAL(shead->v, 4);
    CHECK_EQUAL(sizeof recs, N * THREADS * sizeof(rec_t));
    return finish();
}

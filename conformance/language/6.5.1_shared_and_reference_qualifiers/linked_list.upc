// threads: 1 2 3 4 7
// A list over all threads: structures with pointer-to-shared members, also to their own kind.
#include <upc.h>
#include "check.h"

struct node;
typedef shared struct node *link_t;
struct node {
    int value;
    link_t next;
    shared [] struct node *twin;
    shared int *counter;
};
shared link_t heads[THREADS];
shared int counters[THREADS];

int main(void)
{
    link_t node, previous = NULL;
    int i, length = 0, sum = 0;

    for (i = 0; i < 5; i++) {
        node = upc_alloc(sizeof(struct node));
        node->value = 10 * MYTHREAD + i;
        node->next = previous;
        node->twin = (shared [] struct node *)node;
        node->counter = &counters[(MYTHREAD + i) % THREADS];
        previous = node;
    }
    heads[MYTHREAD] = previous;
    upc_barrier;

    // Thread 0 chains the lists of all threads.
    if (MYTHREAD == 0)
        for (i = 0; i + 1 < THREADS; i++) {
            for (node = heads[i]; node->next != NULL; node = node->next)
                ;
            node->next = heads[i + 1];
        }
    upc_barrier;
    for (node = heads[0]; node; node = node->next) {
        length++;
        sum += node->value;
        CHECK_EQUAL(node->twin->value, (*node).value);
        if (node->next)
            CHECK(node->next->twin->counter == (*(*node).next).counter);
        if (MYTHREAD == 0)
            ++*node->counter;
    }
    CHECK_EQUAL(length, 5 * THREADS);
    CHECK_EQUAL(sum, 5 * 10 * THREADS * (THREADS - 1) / 2 + 10 * THREADS);
    upc_barrier;
    CHECK_EQUAL(counters[MYTHREAD], 5);
    CHECK_EQUAL(heads[0]->next->next->value, 2);
    return finish();
}

// threads: 1 2 3 4 7
// Atomic operations on pointers-to-shared: a list that all threads push to and pop from, and pointers that are not
// aligned to their size.
#include <upc.h>
#include <upc_atomic.h>
#include "check.h"

#define NODES 60

struct node {
    int number;
    shared void *next;
};
typedef shared struct node *link;

shared void *shared head;
shared struct node nodes[NODES * THREADS];
shared [] int seen[NODES * 64];
struct odd {
    long first;
    shared int *place;
};
shared struct odd odd[THREADS];
shared [4] int numbers[4 * THREADS];
shared int turns;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, 0);
    shared void *old, *expected, *wanted;
    shared [4] int *place;
    shared int *other;
    int i, count = 0;

    CHECK_EQUAL(upc_atomic_isfast(UPC_PTS, UPC_ADD, NULL), UPC_ATOMIC_PERFORMANCE_NOT_FAST);
    for (i = MYTHREAD; i < NODES * THREADS; i += THREADS) {
        link node = &nodes[i];

        node->number = i;
        wanted = node;
        upc_atomic_relaxed(domain, &expected, UPC_GET, &head, NULL, NULL);
        for (;;) {
            node->next = expected;
            upc_atomic_strict(domain, &old, UPC_CSWAP, &head, &expected, &wanted);
            if (old == expected)
                break;
            expected = old;
        }
    }
    upc_barrier;
    for (old = head; old != NULL; old = ((link)old)->next) {
        count++;
        if (MYTHREAD == 0)
            seen[((link)old)->number]++;
    }
    CHECK_EQUAL(count, NODES * THREADS);
    if (MYTHREAD == 0)
        for (i = 0; i < NODES * THREADS; i++)
            CHECK_EQUAL(seen[i], 1);
    upc_barrier;

    // A pointer keeps its phase.
    place = &numbers[4 * MYTHREAD + 3];
    wanted = place;
    upc_atomic_relaxed(domain, &old, UPC_SET, &head, &wanted, NULL);
    CHECK(old != NULL);
    upc_barrier;
    upc_atomic_strict(domain, &old, UPC_GET, &head, NULL, NULL);
    CHECK_EQUAL(upc_phaseof(old), 3);
    CHECK((shared [4] int *)old == &numbers[4 * (int)upc_threadof(old) + 3]);

    // In a structure after a long.
    upc_barrier;
    for (i = 0; i < 100; i++) {
        shared void *shared *target = (shared void *shared *)&odd[THREADS - 1].place;

        do {
            expected = NULL;
            wanted = &nodes[MYTHREAD];
            upc_atomic_strict(domain, &old, UPC_CSWAP, target, &expected, &wanted);
        } while (old != NULL);
        turns = turns + 1; // whoever put its pointer there is alone
        expected = NULL;
        upc_atomic_strict(domain, &old, UPC_SET, target, &expected, NULL);
        CHECK(old == wanted);
    }
    upc_barrier;
    CHECK_EQUAL(turns, 100 * THREADS);
    other = odd[THREADS - 1].place;
    CHECK(other == NULL);
    CHECK_EQUAL(odd[THREADS - 1].first, 0);
    upc_all_atomicdomain_free(domain);
    return finish();
}

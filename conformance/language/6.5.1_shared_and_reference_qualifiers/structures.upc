// threads: 1 2 3 4
// Structures cross between shared and private memory as a whole, in all directions.
#include <upc.h>
#include "check.h"

typedef struct {
    int id;
    double weight;
    char name[12];
} item_t;

struct nested {
    item_t items[2];
    struct {
        short a, b;
    };
    union {
        float f;
        unsigned bits;
    } u;
};

shared item_t items[2 * THREADS];
shared struct nested nested[THREADS];
shared [] item_t on_zero;

static item_t make(int id)
{
    item_t item = {id, id / 2.0, "item"};

    item.name[0] = (char)('a' + id);
    return item;
}

static int id_of(item_t item)
{
    return item.id;
}

int main(void)
{
    item_t mine, *local;
    struct nested n;
    int next = (MYTHREAD + 1) % THREADS;

    items[MYTHREAD] = make(MYTHREAD);                   // private to shared
    items[THREADS + MYTHREAD] = items[MYTHREAD];        // shared to shared
    upc_barrier;
    mine = items[THREADS + next];                       // shared to private
    CHECK(mine.id == next && mine.weight == next / 2.0 && mine.name[0] == 'a' + next && mine.name[3] == 'm');
    CHECK_EQUAL(id_of(items[next]), next);
    CHECK_EQUAL((mine = items[next]).id, next);
    local = (item_t *)&items[MYTHREAD];
    CHECK_EQUAL(local->id, MYTHREAD);
    shared item_t *p = &items[next];
    mine = *p;
    CHECK_EQUAL(mine.id, next);
    mine = p[THREADS];
    CHECK_EQUAL(mine.id, next);
    upc_barrier;

    n.items[0] = make(3);
    n.items[1] = items[MYTHREAD];
    n.a = 1, n.b = 2, n.u.f = 1.0f;
    nested[MYTHREAD] = n;
    upc_barrier;
    CHECK_EQUAL(nested[next].items[0].id, 3);
    CHECK_EQUAL(nested[next].items[1].id, next);
    CHECK_EQUAL(nested[next].items[1].name[0], 'a' + next);
    CHECK(nested[next].a == 1 && nested[next].b == 2);
    CHECK_EQUAL(nested[next].u.bits, 0x3f800000);
    mine = nested[next].items[0];
    CHECK_EQUAL(mine.id, 3);
    upc_barrier;
    nested[MYTHREAD].items[0].weight += 2;
    nested[MYTHREAD].items[0].name[1]++;
    upc_barrier;
    CHECK(nested[next].items[0].weight == 3.5 && nested[next].items[0].name[1] == 'u');
    if (MYTHREAD == THREADS - 1)
        on_zero = (item_t){.name = "last", .id = 5};
    upc_barrier;
    CHECK(on_zero.id == 5 && on_zero.name[2] == 's' && on_zero.weight == 0);
    CHECK_EQUAL(sizeof(on_zero), sizeof(item_t));
    item_t copy = MYTHREAD >= 0 ? on_zero : mine;
    CHECK_EQUAL(copy.id, 5);
    item_t initialised = items[next];
    CHECK_EQUAL(initialised.id, next);
    return finish();
}

// threads: 1 2 3 4 7
// ++, --, += and -= on pointers of every layout, as statements and as values, on pointers that lie everywhere.
#include <upc.h>
#include "check.h"

shared int cyclic[10 * THREADS];
shared [4] int blocked[12 * THREADS];
shared [] int flat[40];
shared int *shared shared_pointer;
shared int *shared [] pointers[3];
shared [4] int *shared by_thread[THREADS];
static shared [] int *statics = flat + 5;
struct walker { shared int *at; shared [4] int *blocked; shared [] int *end; } walker;
shared struct walker walkers[THREADS];

static shared int **where(int *calls)
{
    static shared int *p = cyclic;

    ++*calls;
    return &p;
}

static int index_of(int *calls) { return (*calls)++; }

int main(void)
{
    int i, calls = 0, n;
    shared int *c;
    shared [4] int *b = blocked;
    shared int *table[3] = {cyclic, cyclic + 1, cyclic + 2};
    struct walker *w = &walker;
    shared struct walker *sw = &walkers[MYTHREAD];
    shared int **pp = &table[1];
    shared int *volatile careful = cyclic;

    upc_forall (i = 0; i < 10 * THREADS; i++; &cyclic[i])
        cyclic[i] = i;
    upc_forall (i = 0; i < 12 * THREADS; i++; &blocked[i])
        blocked[i] = i;
    if (MYTHREAD == 0)
        for (i = 0; i < 40; i++)
            flat[i] = i;
    upc_barrier;

    CHECK_EQUAL(*b++, 0);
    CHECK_EQUAL(*++b, 2);
    CHECK_EQUAL(*(b += 3), 5);
    CHECK_EQUAL(*b--, 5);
    CHECK_EQUAL(*--b, 3);
    CHECK_EQUAL(*(b -= 2), 1);
    CHECK_EQUAL(b++ - blocked, 1);
    CHECK_EQUAL((b++)[2], 4);
    CHECK_EQUAL((--b)[2], 4);
    CHECK_EQUAL(upc_phaseof(b), 2);
    for (n = 0, c = cyclic; c != &cyclic[10 * THREADS]; n += *c++)
        ;
    CHECK_EQUAL(n, 10 * THREADS * (10 * THREADS - 1) / 2);
    for (n = 0; c-- > cyclic;)
        n++;
    CHECK_EQUAL(n, 10 * THREADS);
    CHECK_EQUAL(*statics++, 5);
    CHECK_EQUAL(*++statics, 7);
    statics -= 7;
    CHECK(statics == flat);

    ++*where(&calls);
    (*where(&calls))++;
    CHECK_EQUAL(*(*where(&calls) += 2), 4);
    CHECK_EQUAL(*(*where(&calls))--, 4);
    CHECK_EQUAL(calls, 4);
    n = 0;
    table[index_of(&n)]++;
    table[index_of(&n)] += 5;
    CHECK_EQUAL(*table[index_of(&n)]--, 2);
    CHECK_EQUAL(n, 3);
    CHECK(*table[0] == 1 && *table[1] == 6 && *table[2] == 1);
    CHECK_EQUAL(**pp, 6);
    ++*pp;
    CHECK_EQUAL(*(*pp)++, 7);
    CHECK_EQUAL(*table[1], 8);
    CHECK_EQUAL(**++pp, 1);
    CHECK_EQUAL(*(*--pp)--, 8);
    careful++;
    careful += 2;
    CHECK_EQUAL(*careful, 3);

    w->at = cyclic;
    w->blocked = &blocked[3];
    w->end = flat + 39;
    w->at++;
    ++w->blocked;
    CHECK_EQUAL(*w->at++ + *w->blocked-- + *--w->end, 1 + 4 + 38);
    CHECK_EQUAL(*walker.at + *walker.blocked + *walker.end, 2 + 3 + 38);

    sw->at = cyclic + 3;
    sw->blocked = &blocked[7];
    sw->end = NULL;
    sw->at--;
    CHECK_EQUAL(*sw->at++, 2);
    CHECK_EQUAL(*++sw->blocked, 8);
    CHECK_EQUAL(*(sw->blocked -= 5), 3);
    CHECK_EQUAL(upc_phaseof(sw->blocked), 3);
    CHECK_EQUAL(*walkers[MYTHREAD].at, 3);
    upc_barrier;
    by_thread[MYTHREAD] = &blocked[4 * MYTHREAD];
    if (MYTHREAD == 0) {
        shared_pointer = cyclic + 4;
        pointers[1] = shared_pointer++;
        pointers[2] = ++shared_pointer;
        shared_pointer -= 1;
    }
    upc_barrier;
    CHECK(shared_pointer == cyclic + 5 && pointers[1] == &cyclic[4] && pointers[2] == &cyclic[6]);
    CHECK_EQUAL(pointers[2] - pointers[1], 2);
    CHECK_EQUAL(*++by_thread[MYTHREAD], 4 * MYTHREAD + 1);
    upc_barrier;
    CHECK_EQUAL(by_thread[THREADS - 1] - by_thread[0], 4 * (THREADS - 1));
    CHECK_EQUAL(*by_thread[THREADS - 1] - *by_thread[0], 4 * (THREADS - 1));
    return finish();
}

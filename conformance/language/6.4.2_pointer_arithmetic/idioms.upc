// threads: 1 2 3 4 7
// Pointer expressions as programs write them: assignments within conditions, comma, ?:, casts in the middle.
#include <upc.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define FACTOR 6
#define COUNT FACTOR*THREADS
shared [FACTOR] int a[FACTOR*THREADS];
shared int c[COUNT], e[COUNT];
shared [] char *text;
shared [] char *shared texts[THREADS];
typedef struct record {
    int key;
    struct { short low, high; } range[3];
    shared [FACTOR] int *where;
    shared struct record *next;
} record_t;
shared record_t records[2 * THREADS];
shared const int read_only[THREADS];
const shared char *label;
struct pair {
    shared int *first, *second;
};
union either {
    shared int *pointer;
    long words[2];
};

static struct pair make_pair(shared int *p, int n)
{
    struct pair result = {p, p + n};

    return result;
}

static shared int *pick(int which)
{
    return which ? c : e;
}

static shared record_t *record_of(int i) { return &records[i % (2 * THREADS)]; }

static size_t length(shared [] const char *s)
{
    shared [] const char *p = s;

    while (*p++)
        ;
    return p - s - 1;
}

int main(void)
{
    int i, n = 0;
    shared int *p, *q = NULL;
    shared [FACTOR] int *b;
    shared record_t *r;

    for (i = MYTHREAD; i < COUNT; i += THREADS)
        c[i] = i, e[i] = -i;
    upc_forall (i = 0; i < COUNT; i++; a + i)
        a[i] = 100 + i;
    for (i = MYTHREAD; i < 2 * THREADS; i += THREADS) {
        r = records + i;
        r->key = i;
        r->range[1].low = (short)i;
        (*r).range[2].high = (short)-i;
        r->where = &a[i % (COUNT)];
        r->next = i + 1 < 2 * THREADS ? r + 1 : NULL;
    }
    upc_barrier;

    // Assignments as values.
    r = records;
    do
        n++;
    while ((r = r->next) != NULL);
    CHECK_EQUAL(n, 2 * THREADS);
    if ((text = (shared [] char *)upc_alloc(20)) == NULL)
        upc_global_exit(9);
    p = q = c + 1;
    CHECK(p == q && (p = q + 1, *p) == 2 && *(q = p) == 2);
    CHECK_EQUAL(*(p += 2), 4);
    CHECK_EQUAL(*p--, 4);
    CHECK_EQUAL(p - c, 3);
    CHECK_EQUAL(p++[1], 4);
    CHECK_EQUAL(&c[5] - p--, 1);
    CHECK_EQUAL((p + 1)[1] + (1 + p)[-1], 8);
    CHECK_EQUAL(*(MYTHREAD >= 0 ? c : e), 0);
    CHECK_EQUAL((MYTHREAD < 0 ? c : e)[2], -2);
    CHECK_EQUAL(pick(0)[4] + pick(1)[5], 1);
    CHECK_EQUAL(*(pick(1) + 3), 3);
    CHECK_EQUAL(&pick(1)[2] == &c[2], 1);

    // Members through results of functions, of casts, of arithmetic.
    CHECK_EQUAL(record_of(1)->key, 1);
    CHECK_EQUAL(record_of(2 * THREADS + 1)->range[1].low, 1);
    CHECK_EQUAL((records + 1)->range[2].high, -1);
    CHECK_EQUAL(records[0].next->next == NULL ? 0 : records[0].next->next->key, THREADS > 1 ? 2 : 0);
    CHECK_EQUAL(*records[1].where, 101);
    CHECK_EQUAL(records[1].where[1], 102);
    CHECK_EQUAL(((shared record_t *)(shared void *)&records[1])->key, 1);
    CHECK_EQUAL(make_pair(c, 3).second - c, 3);
    CHECK_EQUAL(*make_pair(c, 3).second, 3);
    struct pair pair = {.second = &c[4]}, *pointer = &pair;
    CHECK(pair.first == NULL && *pointer->second == 4 && pointer->second[1] == 5);
    pair = (struct pair){c, pair.second + 1};
    CHECK(*pair.second == 5 && pair.first[2] == 2);
    union either u = {.pointer = c + 2};
    CHECK(*u.pointer == 2 && u.words[0] != 0);
    struct pair pairs[3] = {{c, NULL}, [2] = {.first = e + 1}}, *last = pairs + 2;
    CHECK(*last->first == -1 && pairs[1].first == NULL && !pairs[0].second);
    last->first++;
    CHECK_EQUAL(*(last->first), -2);
    last--->second = c; // of the element that `last` leaves
    CHECK(pairs[2].second == c && last == &pairs[1]);

    // Characters.
    for (i = 0; i < 19; i++)
        text[i] = (char)('a' + (i + MYTHREAD) % 26);
    text[i] = '\0';
    texts[MYTHREAD] = text;
    CHECK_EQUAL(length(text), 19);
    CHECK_EQUAL(*text, 'a' + MYTHREAD);
    CHECK(!strcmp((char *)text + 1, (char *)&text[1]));
    upc_barrier;
    char copy[20];
    upc_memget(copy, texts[THREADS - 1], sizeof copy);
    CHECK_EQUAL(strlen(copy), 19);
    CHECK_EQUAL(texts[THREADS - 1][0], copy[0]);
    label = (const shared char *)texts[0];
    CHECK_EQUAL(*label, 'a');
    CHECK_EQUAL(read_only[MYTHREAD], 0);

    // Blocks: own part by casts in one expression.
    b = &a[FACTOR * MYTHREAD];
    memset((int *)b + 1, 0, 2 * sizeof(int));
    upc_barrier;
    CHECK_EQUAL(a[FACTOR * (THREADS - 1) + 2], 0);
    CHECK_EQUAL(((int *)&a[FACTOR * MYTHREAD])[3], 100 + FACTOR * MYTHREAD + 3);
    CHECK_EQUAL(*((shared [] int *)&a[FACTOR * (THREADS - 1)] + 5), 100 + COUNT - 1);
    CHECK_EQUAL(((shared [] int *)b)[4], 100 + FACTOR * MYTHREAD + 4);
    CHECK_EQUAL(*(int *)((char *)b + 3 * sizeof(int)), 100 + FACTOR * MYTHREAD + 3);
    upc_free(texts[MYTHREAD]);
    upc_free((shared void *)NULL);
    return finish();
}

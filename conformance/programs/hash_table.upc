// threads: 1 2 3 4 7
// A hash table of shared chains: allocation by all threads, one lock for each bucket, strings in shared
// memory.
#include <upc.h>
#include <string.h>
#include <stdlib.h>
#include "check.h"

typedef struct entry_s {
    shared [] char *key;
    int value;
    shared struct entry_s *next;
} entry_t;

typedef struct {
    shared entry_t *head;
    upc_lock_t *lock;
    int length;
} bucket_t;

typedef struct {
    shared bucket_t *buckets;
    int size;
} table_t;

shared table_t table;

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static shared [] char *dup(const char *s)
{
    size_t n = strlen(s) + 1;
    shared [] char *r = (shared [] char *)upc_alloc(n);
    upc_memput(r, s, n);
    return r;
}

static int same(shared [] const char *a, const char *b)
{
    do
        if (*a != *b)
            return 0;
    while (*a++ && *b++);
    return 1;
}

static shared entry_t *find(shared bucket_t *b, const char *key)
{
    shared entry_t *e;
    for (e = b->head; e != NULL; e = e->next)
        if (same(e->key, key))
            return e;
    return NULL;
}

static void add(const char *key, int n)
{
    shared bucket_t *b = &table.buckets[hash(key) % table.size];
    upc_lock(b->lock);
    shared entry_t *e = find(b, key);
    if (!e) {
        e = (shared entry_t *)upc_alloc(sizeof *e);
        e->key = dup(key);
        e->value = 0;
        e->next = b->head;
        b->head = e;
        b->length++;
    }
    e->value += n;
    upc_unlock(b->lock);
}

int main()
{
    int i, total = 0, entries = 0;
    char key[16];
    shared bucket_t *bs = (shared bucket_t *)upc_all_alloc(3 * THREADS, sizeof(bucket_t));
    if (MYTHREAD == 0) {
        table.size = 3 * THREADS;
        table.buckets = bs;
    }
    upc_forall (i = 0; i < 3 * THREADS; i++; &bs[i]) {
        bs[i].lock = upc_global_lock_alloc();
        bs[i].head = NULL;
        bs[i].length = 0;
    }
    upc_barrier;
    for (i = 0; i < 40; i++) {
        sprintf(key, "key%d", i % 10);
        add(key, i);
    }
    sprintf(key, "own%d", MYTHREAD);
    add(key, 1);
    upc_barrier;
    for (i = 0; i < table.size; i++) {
        shared entry_t *e;
        int n = 0;
        for (e = table.buckets[i].head; e; e = e->next, n++)
            total += e->value;
        entries += n;
        CHECK_EQUAL(n, bs[i].length);
    }
    CHECK_EQUAL(entries, 10 + THREADS);
    CHECK_EQUAL(total, THREADS * (39 * 40 / 2) + THREADS);
    for (i = 0; i < 10; i++) {
        sprintf(key, "key%d", i);
        shared entry_t *e = find(&table.buckets[hash(key) % table.size], key);
        CHECK(e && e->value == THREADS * (4 * i + 60));
        CHECK(e && upc_threadof(e->key) == upc_threadof(e));
    }
    CHECK(find(&bs[0], "none") == NULL);
    upc_barrier;
    upc_forall (i = 0; i < 3 * THREADS; i++; &bs[i]) {
        shared entry_t *e = bs[i].head, *n;
        while (e) {
            n = e->next;
            upc_free(e->key);
            upc_free(e);
            e = n;
        }
        upc_lock_free(bs[i].lock);
    }
    return finish();
}

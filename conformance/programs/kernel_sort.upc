// threads: 1 2 3 4 7
// The manner of IS: counts of buckets in blocked two-dimensional arrays, a table of structures that says who gets what
// from whom, and keys that are fetched with upc_memget from indefinite pointers kept in a shared array.
#include <upc_relaxed.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define KEYS 64 /* of each thread */
#define BUCKETS 16
#define MAX_KEY 256
#define SHIFT 4

typedef int KEY;
typedef shared [] KEY *keys_t;
typedef struct {
    int count, first;
} send_t;

shared [BUCKETS] int bucket_size[THREADS][BUCKETS];
shared keys_t key_parts[THREADS];
shared KEY largest[THREADS];
#define MY_KEYS ((KEY *)key_parts[MYTHREAD])

int main(void)
{
    int own_size[BUCKETS] = {0}, next[BUCKETS], owner[BUCKETS], i, b, thread, received = 0, before, counts[MAX_KEY];
    KEY keys[KEYS], *mine, *from = malloc(THREADS * KEYS * sizeof(KEY));
    shared [] send_t *table;

    for (i = 0; i < KEYS; i++)
        keys[i] = (MYTHREAD * 73 + i * 31 + i * i * 7) % MAX_KEY;
    for (i = 0; i < KEYS; i++)
        own_size[keys[i] >> SHIFT]++;
    upc_memput(&bucket_size[MYTHREAD][0], own_size, sizeof own_size);
    table = (shared [] send_t *)upc_all_alloc(1, THREADS * THREADS * sizeof(send_t));
    key_parts[MYTHREAD] = (keys_t)upc_alloc(KEYS * sizeof(KEY));
    upc_barrier;

    for (b = 0; b < BUCKETS; b++)
        owner[b] = b * THREADS / BUCKETS;
    next[0] = 0;
    for (b = 1; b < BUCKETS; b++)
        next[b] = next[b - 1] + own_size[b - 1];
    for (thread = 0; thread < THREADS; thread++) {
        send_t send = {0, 0};

        for (b = 0; b < BUCKETS; b++)
            if (owner[b] == thread) {
                if (send.count == 0)
                    send.first = next[b];
                send.count += own_size[b];
            }
        table[MYTHREAD * THREADS + thread] = send;
    }
    mine = MY_KEYS;
    for (i = 0; i < KEYS; i++)
        mine[next[keys[i] >> SHIFT]++] = keys[i];
    upc_barrier;

    for (thread = 0; thread < THREADS; thread++) {
        send_t send;

        upc_memget(&send, &table[thread * THREADS + MYTHREAD], sizeof send);
        if (send.count > 0)
            upc_memget(from + received, key_parts[thread] + send.first, send.count * sizeof(KEY));
        received += send.count;
    }
    before = 0;
    for (thread = 0; thread < THREADS; thread++)
        for (b = 0; b < BUCKETS; b++)
            if (owner[b] == MYTHREAD)
                before += bucket_size[thread][b];
    CHECK_EQUAL(received, before);
    memset(counts, 0, sizeof counts);
    for (i = 0; i < received; i++) {
        CHECK_EQUAL(owner[from[i] >> SHIFT], MYTHREAD);
        counts[from[i]]++;
    }
    /* Every key of every thread is where it belongs. */
    for (thread = 0; thread < THREADS; thread++)
        for (i = 0; i < KEYS; i++) {
            KEY key = (thread * 73 + i * 31 + i * i * 7) % MAX_KEY;

            if (owner[key >> SHIFT] == MYTHREAD)
                counts[key]--;
        }
    for (i = 0; i < MAX_KEY; i++)
        CHECK_EQUAL(counts[i], 0);
    upc_barrier;
    upc_free(key_parts[MYTHREAD]);
    if (MYTHREAD == 0)
        upc_free(table);
    free(from);
    return finish();
}

// threads: 1 2 3 4
// Random accesses of all sizes and ways against a copy that each thread keeps: between two barriers a stretch of memory is
// written and read by one thread, or only read by all. So every value that is read is known, whatever is kept, combined or
// fetched ahead on the way.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include "check.h"

#define BYTES 3000 // of each thread; no multiple of anything that lines or pages have
#define PHASES 40
#define STEPS 60
#define STRETCHES 200

static shared [BYTES] unsigned char memory[BYTES * THREADS];
static unsigned char *known; // what the memory has
static int all;

struct stretch {
    int begin, end, writer; // -1: all read
};
static struct stretch stretches[STRETCHES + 1];
static int count;

static uint64_t state;
static unsigned next(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static void divide(int phase)
{
    state = 77 + phase;
    count = 0;
    for (int at = 0; at < all && count < STRETCHES;) {
        struct stretch *s = &stretches[count++];
        s->begin = at;
        at += 1 + (int)next(next(4) == 0 ? 900u : 40u);
        if (at > all || count == STRETCHES)
            at = all;
        s->end = at;
        s->writer = (int)next(THREADS + 1) - 1;
    }
}

#define SAME(type, at, value) (memcmp(&known[at], &(type){value}, sizeof(type)) == 0)

#define ACCESS(type)                                                             \
    if (writes) {                                                                \
        type value = (type)next(1u << 30);                                       \
        if (really)                                                              \
            *(shared [] type *)&memory[at] = value;                              \
        memcpy(&known[at], &value, sizeof value);                                \
    } else if (really) {                                                         \
        type value = *(shared [] type *)&memory[at];                             \
        CHECK(memcmp(&known[at], &value, sizeof value) == 0);                    \
    }                                                                            \
    break;

// One step of a thread; others only follow what it does to the memory.
static void step(int thread, int really)
{
    static unsigned char buffer[BYTES];
    struct stretch *s;
    int writes, room, at, kind, size;

    do {
        s = &stretches[next((unsigned)count)];
        writes = s->writer == thread && next(2);
    } while (s->writer >= 0 && s->writer != thread);
    at = s->begin + (int)next((unsigned)(s->end - s->begin));
    // All bytes of an access are one thread's memory.
    room = s->end - at;
    if (room > BYTES - at % BYTES)
        room = BYTES - at % BYTES;
    kind = (int)next(7);
    size = kind < 4 ? 1 << kind : 1 + (int)next((unsigned)room);
    if (size > room)
        kind = 0;
    if (kind < 4 && at % size != 0)
        kind = 0;
    switch (kind) {
    case 0: ACCESS(unsigned char)
    case 1: ACCESS(uint16_t)
    case 2: ACCESS(uint32_t)
    case 3: ACCESS(uint64_t)
    case 4:
    case 5:
        if (writes) {
            for (int i = 0; i < size; i++)
                buffer[i] = (unsigned char)next(256);
            if (really)
                upc_memput(&memory[at], buffer, (size_t)size);
            memcpy(&known[at], buffer, (size_t)size);
        } else if (really) {
            upc_memget(buffer, &memory[at], (size_t)size);
            CHECK(memcmp(&known[at], buffer, (size_t)size) == 0);
        }
        break;
    case 6:
        if (writes) {
            int c = (int)next(256);
            if (really)
                upc_memset(&memory[at], c, (size_t)size);
            memset(&known[at], c, (size_t)size);
        } else if (really) {
            for (int i = 0; i < size; i++)
                CHECK_EQUAL(memory[at + i], known[at + i]);
        }
        break;
    }
}

int main(void)
{
    all = BYTES * THREADS;
    known = calloc((size_t)all, 1);
    for (int phase = 0; phase < PHASES; phase++) {
        divide(phase);
        for (int thread = 0; thread < THREADS; thread++) {
            state = (uint64_t)(phase * 1000 + thread);
            for (int i = 0; i < STEPS; i++)
                step(thread, thread == MYTHREAD);
        }
        upc_barrier;
        for (int i = 0; i < all; i += 7)
            CHECK_EQUAL(memory[i], known[i]);
        upc_barrier;
    }
    return finish();
}

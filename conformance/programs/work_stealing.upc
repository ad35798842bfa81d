// threads: 1 2 3 4 7
// Threads that steal parts of a tree's traversal from each other. All that is UPC hides behind macros, as in programs that
// are also written for other ways to be parallel; stacks are used through private pointers by their owners.
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include "check.h"

#define SHARED shared
#define SHARED_INDEF shared [0]
#define VOLATILE strict
#define MAX_THREADS (THREADS)
#define LOCK_T upc_lock_t
#define SET_LOCK(l) upc_lock(l)
#define UNSET_LOCK(l) upc_unlock(l)
#define SMEMCPY upc_memget
#define ALLOC upc_alloc
#define BARRIER upc_barrier;

#define STACK_SIZE 2000
#define CHUNK 4
#define HEIGHT 8

typedef struct node_t {
    int height;
    struct { unsigned char bytes[4]; } state;
} Node;

struct stealStack_t {
    int work_available;
    int shared_start;
    int local;
    int top;
    int nodes;
    LOCK_T *stackLock;
    SHARED_INDEF Node *stack;
};
typedef struct stealStack_t StealStack;

SHARED StealStack stealStack[MAX_THREADS];
VOLATILE SHARED int waiting;
LOCK_T *waiting_lock;
static StealStack *ss;

static unsigned child_seed(unsigned seed, int i) { return seed * 1664525u + i * 1013904223u + 1; }

static int children(unsigned seed, int height) { return height == 0 ? 0 : (seed >> 8) % 4 + (height > 4); }

static int expected(unsigned seed, int height)
{
    int i, n = 1;

    for (i = 0; i < children(seed, height); i++)
        n += expected(child_seed(seed, i), height - 1);
    return n;
}

static void push(StealStack *s, Node *n)
{
    memcpy((void *)&(s->stack)[s->top], n, sizeof(Node));
    s->top++;
}

static SHARED_INDEF Node *top(StealStack *s) { return &(s->stack)[s->top - 1]; }

static void visit(void)
{
    Node n, child;
    unsigned seed, next;
    int i;

    memcpy(&n, (Node *)top(ss), sizeof(n));
    ss->top--;
    ss->nodes++;
    memcpy(&seed, n.state.bytes, sizeof(seed));
    for (i = 0; i < children(seed, n.height); i++) {
        child.height = n.height - 1;
        next = child_seed(seed, i);
        memcpy(child.state.bytes, &next, sizeof(next));
        push(ss, &child);
    }
}

static void release(void)
{
    SET_LOCK(ss->stackLock);
    ss->local += CHUNK;
    ss->work_available += CHUNK;
    UNSET_LOCK(ss->stackLock);
}

static int reacquire(void)
{
    int found;

    SET_LOCK(ss->stackLock);
    found = ss->work_available > 0;
    if (found) {
        ss->local -= CHUNK;
        ss->work_available -= CHUNK;
    } else
        ss->top = ss->local = ss->shared_start = 0;
    UNSET_LOCK(ss->stackLock);
    return found;
}

static int steal(int victim)
{
    int start, found;

    SET_LOCK(stealStack[victim].stackLock);
    start = stealStack[victim].shared_start;
    found = stealStack[victim].work_available >= CHUNK;
    if (found) {
        Node taken[CHUNK];

        stealStack[victim].shared_start = start + CHUNK;
        stealStack[victim].work_available -= CHUNK;
        SMEMCPY(&taken, stealStack[victim].stack + start, CHUNK * sizeof(Node));
        memcpy((Node *)&ss->stack[ss->top], taken, sizeof(taken));
        ss->top += CHUNK;
    }
    UNSET_LOCK(stealStack[victim].stackLock);
    return found;
}

/* Whether all threads are out of work; a thread that sees some goes on. */
static int finished(void)
{
    int i;

    SET_LOCK(waiting_lock);
    waiting++;
    UNSET_LOCK(waiting_lock);
    for (;;) {
        if (waiting == THREADS)
            return 1;
        for (i = 0; i < THREADS; i++)
            if (stealStack[i].work_available >= CHUNK) {
                int all;

                SET_LOCK(waiting_lock);
                all = waiting == THREADS;
                if (!all)
                    waiting--;
                UNSET_LOCK(waiting_lock);
                return all;
            }
    }
}

int main(void)
{
    unsigned seed = 12345;
    int i, found, sum = 0;

    ss = (StealStack *)&stealStack[MYTHREAD];
    ss->stack = (SHARED_INDEF Node *)ALLOC(STACK_SIZE * sizeof(Node));
    ss->stackLock = upc_global_lock_alloc();
    waiting_lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        Node root;

        root.height = HEIGHT;
        memcpy(root.state.bytes, &seed, sizeof(seed));
        push(ss, &root);
    }
    BARRIER
    do {
        for (;;) {
            while (ss->top > ss->local) {
                visit();
                if (ss->top - ss->local > 2 * CHUNK)
                    release();
            }
            if (reacquire())
                continue;
            for (found = 0, i = 1; i < THREADS && !found; i++)
                found = stealStack[(MYTHREAD + i) % THREADS].work_available >= CHUNK && steal((MYTHREAD + i) % THREADS);
            if (!found)
                break;
        }
    } while (!finished());
    BARRIER
    for (i = 0; i < THREADS; i++)
        sum += stealStack[i].nodes;
    CHECK_EQUAL(sum, expected(seed, HEIGHT));
    return finish();
}

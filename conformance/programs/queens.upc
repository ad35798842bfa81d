// threads: 1 2 3 4 7
// Queens by tasks: a stack of structures in shared memory on each thread, stealing, termination by a
// strict counter.
#include <upc.h>
#include "check.h"
#define N 7

typedef struct {
    unsigned char depth, at[N];
} task_t;

typedef struct {
    int top;
    task_t tasks[400];
} stack_t_;

shared stack_t_ stacks[THREADS];
upc_lock_t *shared locks[THREADS];
shared int solutions;
strict shared int idle;
upc_lock_t *sum_lock;

static int fits(const task_t *t, int c)
{
    int r;
    for (r = 0; r < t->depth; r++)
        if (t->at[r] == c || t->at[r] - c == t->depth - r || c - t->at[r] == t->depth - r)
            return 0;
    return 1;
}

static void push(int where, task_t t)
{
    upc_lock(locks[where]);
    stacks[where].tasks[stacks[where].top++] = t;
    upc_unlock(locks[where]);
}

static int pop(int where, task_t *t)
{
    int got = 0;
    if (stacks[where].top == 0)
        return 0;
    upc_lock(locks[where]);
    if (stacks[where].top > 0) {
        *t = stacks[where].tasks[--stacks[where].top];
        got = 1;
    }
    upc_unlock(locks[where]);
    return got;
}

static int work(task_t *t)
{
    int c, found = 0;
    if (t->depth == N)
        return 1;
    for (c = 0; c < N; c++)
        if (fits(t, c)) {
            task_t next = *t;
            next.at[next.depth++] = (unsigned char)c;
            if (t->depth < 2)
                push(MYTHREAD, next);
            else
                found += work(&next);
        }
    return found;
}

int main(void)
{
    task_t t = {0, {0}};
    int v, found = 0, waiting = 0;
    locks[MYTHREAD] = upc_global_lock_alloc();
    sum_lock = upc_all_lock_alloc();
    stacks[MYTHREAD].top = 0;
    upc_barrier;
    if (MYTHREAD == 0)
        push(THREADS - 1, t);
    upc_barrier;
    for (;;) {
        int got = 0;
        for (v = 0; v < THREADS && !got; v++) {
            if (stacks[(MYTHREAD + v) % THREADS].top == 0)
                continue;
            if (waiting) {
                upc_lock(sum_lock);
                idle--;
                upc_unlock(sum_lock);
                waiting = 0;
            }
            got = pop((MYTHREAD + v) % THREADS, &t);
        }
        if (got) {
            found += work(&t);
            continue;
        }
        if (!waiting) {
            upc_lock(sum_lock);
            idle++;
            upc_unlock(sum_lock);
            waiting = 1;
        }
        if (idle == THREADS)
            break;
    }
    upc_lock(sum_lock);
    solutions += found;
    upc_unlock(sum_lock);
    upc_barrier;
    CHECK_EQUAL(solutions, 40);
    return finish();
}

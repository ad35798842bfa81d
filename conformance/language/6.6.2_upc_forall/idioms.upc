// threads: 1 2 3 4 7
// Affinities and bodies as programs write them.
#include <upc_relaxed.h>
#include "check.h"

#define N 5*THREADS
shared int a[N], b[N], hits[N];
shared [3] int blocked[3 * N];
shared struct cell {
    int x, y;
    shared struct cell *next;
} cells[N];
int order[7 * 5];
int i; // of file scope, used by several functions

static shared int *element(int n)
{
    return &a[n];
}

static void reset(void)
{
    int k;

    upc_barrier;
    upc_forall (k = 0; k < N; k++; &hits[k])
        hits[k] = 0;
    upc_barrier;
}

static void once(int line)
{
    int k;

    upc_barrier;
    for (k = 0; k < N; k++)
        if (hits[k] != 1 && check_failed++ < 10)
            printf("line %d: element %d was visited %d times\n", line, k, hits[k]);
    reset();
}

static int find(int value)
{
    int k, found = -1;

    // break of an inner plain loop, continue of the upc_forall
    upc_forall (k = 0; k < N; k++; k) {
        int m;

        if (k < 0)
            continue;
        for (m = 0; m < 10; m++) {
            if (m == 3)
                break;
            if (m == 1)
                continue;
        }
        switch (m) {
        case 3:
            break;
        default:
            CHECK(0);
            continue;
        }
        if (a[k] != value)
            continue;
        found = k;
    }
    return found;
}

int main(void)
{
    int j, k;
    shared int *p;
    shared struct cell *cell;

    reset();
    upc_forall (i = 0; i < N; ++i; element(i)) {
        hits[i]++;
        CHECK_EQUAL(upc_threadof(&a[i]), MYTHREAD);
    }
    once(__LINE__);
    upc_forall (i = 0; i < N; i++; &cells[i].y)
        hits[i]++;
    once(__LINE__);
    upc_forall (i = 0, p = a; i < N; i++, p++; p)
        hits[p - a]++;
    once(__LINE__);
    for (i = 0; i < N; i++)
        order[i] = (i * 3 + 1) % (N);
    upc_forall (i = 0; i < N; i++; &a[order[i]])
        hits[i] += upc_threadof(&a[order[i]]) == MYTHREAD;
    once(__LINE__);
    upc_forall (i = 0; i < N; i++; (shared void *)&blocked[3 * i])
        hits[i]++;
    once(__LINE__);
    upc_forall (i = N - 1; i >= 0; --i; THREADS - 1 - i % THREADS)
        hits[i]++;
    once(__LINE__);
    upc_forall (i = 0; i < N; i++; (i * THREADS) / (N))
        hits[i]++;
    once(__LINE__);
    upc_forall (i = 0; i < N; i++; i % 2 ? &a[i] : &b[i])
        hits[i]++;
    once(__LINE__);
    upc_forall (i = 0; i < N; i++; MYTHREAD)
        if (i % THREADS == MYTHREAD)
            hits[i]++;
    once(__LINE__);
    upc_forall (i = 0; i < N; i++; (char)i)
        hits[i]++;
    once(__LINE__);
    upc_forall (i = 0; i != N; i = i + 1; i)
        hits[i]++;
    once(__LINE__);
    upc_forall (i = 1; i <= N; i++; &a[i - 1]) {
        hits[i - 1]++;
        CHECK_EQUAL(upc_threadof(&a[i - 1]), MYTHREAD);
    }
    once(__LINE__);
    upc_forall (i = 0; i < N && a[0] == 0; i++; &a[i])
        hits[i]++;
    once(__LINE__);
    // Two dimensions in one loop, and a loop in a loop of own elements.
    upc_forall (k = 0; k < N; k++; &blocked[k * 3])
        for (j = 0; j < 3; j++)
            blocked[k * 3 + j] = k * 10 + j;
    upc_barrier;
    for (k = 0; k < 3 * N; k++)
        CHECK_EQUAL(blocked[k], k / 3 * 10 + k % 3);

    // Chains that cross threads.
    upc_forall (i = 0; i < N; i++; &cells[i]) {
        cells[i].x = i;
        cells[i].next = i + 1 < N ? &cells[i + 1] : NULL;
    }
    upc_barrier;
    j = 0;
    upc_forall (cell = cells; cell != NULL; cell = cell->next; cell)
        j += cell->x % THREADS == MYTHREAD;
    CHECK_EQUAL(j, 5);
    upc_forall (i = 0; i < N; i++; &a[i]) {
        static int count;
        int square = i * i;

        a[i] = square;
        count++;
    }
    upc_barrier;
    j = find(16);
    CHECK_EQUAL(j, 4 % THREADS == MYTHREAD && 4 < N ? 4 : -1);
    // A label and a goto within the body.
    j = 0;
    upc_forall (i = 0; i < N; i++; i) {
        if (i % 2)
            goto next;
        j++;
    next:;
    }
    k = 0;
    for (i = MYTHREAD; i < N; i += THREADS)
        k += i % 2 == 0;
    CHECK_EQUAL(j, k);
    return finish();
}

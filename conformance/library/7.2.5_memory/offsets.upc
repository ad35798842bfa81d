// threads: 1 2 3 4 7
// Copies at every offset and length between all kinds of pointers, of structures, rows, characters and
// nothing.
#include <upc.h>
#include <string.h>
#include "check.h"
#define B 16
shared [B] unsigned char src[B * THREADS], dst[B * THREADS];
shared [] unsigned char *heap;
shared unsigned char cyclic[8 * THREADS];
shared [B] int rows[2 * THREADS][B];

typedef struct {
    char name[8];
    int n;
} rec_t;

shared [2] rec_t recs[2 * THREADS];
shared rec_t one;

struct {
    char pad;
    double d[4];
} local;

static void fill(void)
{
    int i;
    for (i = 0; i < B; i++)
        src[B * MYTHREAD + i] = (unsigned char)(MYTHREAD * 31 + i), dst[B * MYTHREAD + i] = 255;
}

static int at(int t, int i) { return (unsigned char)(t * 31 + i); }

int main(void)
{
    int i, o, n, t = (MYTHREAD + 1) % THREADS, bad = 0;
    unsigned char buf[3 * B];
    rec_t r, two[2];
    fill();
    upc_barrier;
    heap = upc_alloc(4 * B);
    for (o = 0; o < B; o++)
        for (n = 0; n + o <= B; n++) {
            memset(buf, 7, sizeof buf);
            upc_memget(buf + 1, &src[B * t + o], n);
            for (i = 0; i < n; i++)
                bad += buf[i + 1] != at(t, o + i);
            bad += buf[0] != 7 || buf[n + 1] != 7;
            upc_memcpy(heap + o, src + B * t + o, n);
            for (i = 0; i < n; i++)
                bad += heap[o + i] != at(t, o + i);
        }
    CHECK_EQUAL(bad, 0);
    for (i = 0; i < B; i++)
        buf[i] = (unsigned char)(100 + i);
    upc_memput(&dst[B * t], buf, B);
    upc_barrier;
    CHECK_EQUAL(dst[B * MYTHREAD + B - 1], 100 + B - 1);
    upc_memput(&dst[B * MYTHREAD + 3], "abc", 4);
    CHECK(!strcmp((char *)&dst[B * MYTHREAD + 3], "abc"));
    upc_memset(&dst[B * MYTHREAD + 5], 'z', 3);
    CHECK_EQUAL(dst[B * MYTHREAD + 7], 'z');
    CHECK_EQUAL(dst[B * MYTHREAD + 8], 108);
    upc_memset(dst + B * MYTHREAD, -1, 2);
    CHECK_EQUAL(dst[B * MYTHREAD + 1], 255);
    upc_memset(heap, 0x155, 2);
    CHECK_EQUAL(heap[1], 0x55);
    upc_barrier;
    upc_memcpy(&dst[B * MYTHREAD], &src[B * t], B);
    upc_memcpy(dst + B * MYTHREAD + 4, (shared void *)(src + B * t), 4);
    CHECK_EQUAL(dst[B * MYTHREAD + 5], at(t, 1));
    upc_memcpy(heap, heap + B, 0);
    upc_memget(buf, heap, 0);
    upc_memset(heap, 1, 0);
    CHECK_EQUAL(heap[1], 0x55);
    for (i = 0; i < 8; i++)
        ((unsigned char *)&cyclic[MYTHREAD])[i] = (unsigned char)(10 * i + MYTHREAD);
    upc_barrier;
    upc_memget(buf, &cyclic[t], 8);
    CHECK_EQUAL(buf[7], 70 + t);
    upc_memget(buf, cyclic + t + 2 * THREADS, 3);
    CHECK(buf[0] == 20 + t && buf[2] == 40 + t);
    upc_memcpy(heap, &cyclic[t + THREADS], 7);
    CHECK_EQUAL(heap[6], 70 + t);
    for (i = 0; i < B; i++)
        rows[MYTHREAD][i] = MYTHREAD * 100 + i;
    upc_barrier;
    upc_memcpy(rows[THREADS + t], rows[t], sizeof rows[0]);
    upc_memcpy(&rows[THREADS + t][2], &rows[MYTHREAD][1], 2 * sizeof(int));
    upc_barrier;
    CHECK_EQUAL(rows[THREADS + MYTHREAD][B - 1], MYTHREAD * 100 + B - 1);
    CHECK_EQUAL(rows[THREADS + t][3], MYTHREAD * 100 + 2);
    {
        int line[B];
        upc_memget(line, rows[t], B * sizeof *line);
        CHECK_EQUAL(line[4], t * 100 + 4);
        upc_memget(&line[0], &rows[t][B / 2], B / 2 * sizeof(line[0]));
        CHECK_EQUAL(line[0], t * 100 + B / 2);
    }
    memset(&r, 0, sizeof r);
    strcpy(r.name, "rec");
    r.n = MYTHREAD;
    upc_memput(&recs[2 * MYTHREAD + 1], &r, sizeof r);
    upc_memset(&recs[2 * MYTHREAD], 0, sizeof(rec_t));
    upc_memput(recs[2 * MYTHREAD].name, "nm", 3);
    upc_barrier;
    upc_memget(two, &recs[2 * t], sizeof two);
    CHECK(!strcmp(two[0].name, "nm") && two[0].n == 0 && two[1].n == t && !strcmp(two[1].name, "rec"));
    upc_memget(&r.n, &recs[2 * t + 1].n, sizeof r.n);
    CHECK_EQUAL(r.n, t);
    upc_memget(r.name, &recs[2 * t + 1].name[1], 3);
    CHECK(!strcmp(r.name, "ec"));
    if (MYTHREAD == 0)
        upc_memcpy(&one, &recs[2 * t + 1], sizeof(rec_t));
    upc_barrier;
    CHECK_EQUAL(one.n, 1 % THREADS);
    {
        double d = 2.5;
        shared [] double *hd = upc_alloc(sizeof d);
        upc_memput(hd, &d, sizeof d);
        upc_memget(&local.d[3], hd, sizeof(double));
        CHECK(local.d[3] == 2.5);
        shared void *v = hd;
        upc_memset(v, 0, sizeof d);
        CHECK(*hd == 0);
        const shared void *cv = v;
        upc_memget(&d, cv, sizeof d);
        CHECK(d == 0);
        (upc_memget)(&d, hd, 8);
        void (*get)(void *, shared const void *, size_t) = upc_memget;
        get(buf, &src[B * t], 4);
        CHECK_EQUAL(buf[3], at(t, 3));
        upc_free(hd);
    }
    return finish();
}

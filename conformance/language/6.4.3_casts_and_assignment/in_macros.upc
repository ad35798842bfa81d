// threads: 1 2 3 4 7
// Shared accesses as arguments of macros and of the C library, as conditions of every statement.
#include <upc.h>
#include <stdio.h>
#include <stddef.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include "check.h"
shared [] char buf[100];
shared int idx;
shared char sc[8 * THREADS];
shared [8] char names[8 * THREADS];
typedef shared [8] char *nm;
#define GETC(p) ((p)->c)
#define STORE(arr, i, v)  \
    do {                  \
        (arr)[(i)] = (v); \
    } while (0)
#define ACC(a, i) a[i]
#define ADDR(a, i) (&ACC(a, i))
#define CHAIN(a, i, j) ACC(a, ACC(a, i) + (j))
shared int perm[4 * THREADS];

shared struct S {
    char c;
    int a[4];
} ss[THREADS];

int main()
{
    int i;
    upc_forall (i = 0; i < 4 * THREADS; i++; ADDR(perm, i))
        STORE(perm, i, (i + 1) % (4 * THREADS));
    upc_barrier;
    CHECK_EQUAL(CHAIN(perm, 0, 1), 3);
    CHECK_EQUAL(perm[perm[perm[0]]], 3);
    assert(perm[0] == 1);
    i = 0;
    sc[MYTHREAD] = 'a';
    CHECK(isalpha(sc[MYTHREAD]));
    CHECK_EQUAL(toupper(sc[MYTHREAD]), 'A');
    errno = perm[0];
    CHECK_EQUAL(errno, 1);
    ss[MYTHREAD].c = 'x';
    ss[MYTHREAD].a[2] = 5;
    CHECK_EQUAL(GETC(&ss[MYTHREAD]), 'x');
    CHECK_EQUAL((&ss[MYTHREAD])->a[1 + 1], 5);
    CHECK_EQUAL(*(ss[MYTHREAD].a + 2), 5);
    CHECK_EQUAL(2 [ss[MYTHREAD].a], 5);
    int *lp = (int *)ss[MYTHREAD].a;
    lp[3] = 6;
    CHECK_EQUAL(ss[MYTHREAD].a[3], 6);
    shared [] int *sp = ss[MYTHREAD].a;
    CHECK_EQUAL(sp[3], 6);
    CHECK_EQUAL(sizeof ss[0].a, 16);
    shared [] int(*ap)[4] = &ss[MYTHREAD].a;
    CHECK_EQUAL((*ap)[3], 6);
    CHECK_EQUAL(&ss[MYTHREAD].a[3] - &ss[MYTHREAD].a[0], 3);
    CHECK_EQUAL((char *)&ss[MYTHREAD].a[0] - (char *)&ss[MYTHREAD], offsetof(struct S, a));
    nm p = &names[8 * MYTHREAD];
    snprintf((char *)p, 8, "t%d", MYTHREAD);
    upc_barrier;
    char loc[8];
    upc_memget(loc, &names[8 * ((MYTHREAD + 1) % THREADS)], 8);
    CHECK(loc[0] == 't');
    upc_barrier;
    sprintf((char *)&names[8 * MYTHREAD], "%d%c", MYTHREAD, sc[MYTHREAD]);
    CHECK(names[8 * MYTHREAD + 1] == 'a');
    printf("thread %d: %d %c %f %p\n", MYTHREAD, perm[0], sc[MYTHREAD], (double)perm[1], (void *)lp);
    fflush(stdout);
    upc_barrier;
    for (;;) {
        if (perm[0])
            break;
    }
    while (!perm[0])
        ;
    do {
        i = perm[1];
    } while (i < 2);
    if (!(perm[0] == 1 && perm[1] == 2 || perm[2]))
        CHECK(0);
    i = perm[0] ? perm[1] : perm[2];
    CHECK_EQUAL(i, 2);
    switch (perm[0]) {
    case 1:
        break;
    default:
        CHECK(0);
    }
    i = (perm[0], perm[1]);
    CHECK_EQUAL(i, 2);
    i = -perm[0];
    i = ~perm[0];
    i = !perm[0];
    i = +perm[0];
    (void)perm[0];
    perm[0];
    return perm[0] - 1 + finish();
}

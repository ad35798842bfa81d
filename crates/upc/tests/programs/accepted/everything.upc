// Declarations in every position, conversions and operators that only the C compiler can check.
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <upc_tick.h>
#include <pupc.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <complex.h>
#define N 10
typedef struct { int x, y; shared [] char *name; } point;
typedef shared [] point *point_p;
shared point pts[N * THREADS];
shared struct { int a; float b[3]; struct { char c; } in; } anon[THREADS];
shared union { int i; float f; } un;
typedef shared [N] double row_t[N * THREADS];
row_t rows;
typedef double vec[3];
shared vec vecs[THREADS];
shared [3] vec bvecs[THREADS];
shared [] int *shared table[THREADS];
shared int *shared *pp;
shared [] double *local_rows[N], **handle = local_rows;
struct list { struct list *l; shared struct list *next; shared [] struct list *first; point_p p; unsigned flag : 1; };
shared struct list lists[THREADS];
struct list plain = { 0, NULL, 0, (void *)0, 1 }, *many[] = { &plain };
static shared int counter, *current;
static shared [2] int init[2 * THREADS] = { 1, 2 };
shared [] int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
shared int *to_matrix = (shared int *)&matrix[1][1];
struct { char *n; shared int *p[2]; } config = { "abc", { &counter, NULL } }, configs[] = { { .p = { [1] = &counter } }, { "x" } };
extern shared int elsewhere[];
extern shared [5] long far_away[5 * THREADS];
extern point_p find(point_p p, int (*cmp)(shared const void *, shared const void *), ...);
shared int *(*getter)(shared int *), *(*getters[3])(void);
strict shared int flag; relaxed shared int data; shared strict int *flag_p = &flag;
const shared int konst = 3;
shared complex double zs[THREADS];
shared _Bool bools[THREADS]; shared char chars[4 * THREADS], text[THREADS][20];
int (*cmp)(shared const void *, shared const void *);
enum color { red, green } ; shared enum color colors[THREADS];
upc_lock_t *locks[5]; upc_lock_t *shared lock_table[THREADS]; upc_lock_t *shared *lock_ptr;
int kr(p, n, q) shared int *p; int n; shared [] char *q; { return p[n] + q[0]; }
shared int *krp(p) shared int *p; { return p; }
static inline shared [] int *inl(shared [] int *p, size_t n) { return p + n; }
shared void *any(shared void *p) { return p; }
void variadic(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); shared int *p = __builtin_va_arg(ap, shared int *); __builtin_va_end(ap); *p = 1; }
int conds(shared int *p, shared [] int *q, int *l)
{
    if (p) return 1; else if (!p && (q || l)) return 2;
    while (p != NULL && q == 0) { p = 0; break; }
    for (; p; p++) ;
    do { } while (!q);
    p = p ? p : NULL; p = l ? p : 0; l = l ? l : NULL; p = p ?: &counter;
    return (p == NULL) + (NULL != q) + (p == p) + (q < q + 1) + (p - p) + !p + !!q + (p && q) + (_Bool)p;
}
void exprs(int n)
{
    int i = n, a[THREADS], *lp; shared int *p = &counter, *q; shared [] int *r = &matrix[0][0]; point pt = pts[i], *ppt = &pt; point_p sp;
    double d, (*rp)[N]; size_t s; shared [N] double *rw = &rows[3]; char buf[20];
    pts[i] = pt; pts[i] = *ppt; *ppt = pts[MYTHREAD]; pts[0] = pts[1]; sp = (point_p)&pts[i]; sp->x = sp[1].y; (*sp).x += (&pts[1])->y; *sp = pt; sp->name[3] = 'c';
    anon[i].b[1] = anon[1].in.c; anon[0].b[i]++; --anon[0].a; un.i = 1; un.f += 2; d = un.f * anon[0].b[2];
    rows[i] = rows[i + 1] * 2; *(rows + i) = 3; rw[-1] = *rw++ + *--rw; rw += n; rw -= 2; rw = rw - 1; rw = 1 + rw; rw = &rows[0] + n; d = rw - rows;
    vecs[i][2] = bvecs[1][i]; d = *vecs[1]; d += vecs[MYTHREAD][0]; s = sizeof(vecs[0]); s += sizeof vecs; s += sizeof(row_t); s += sizeof(*rw) + sizeof(shared int) + sizeof pts[0].x + sizeof(shared int *) + upc_elemsizeof(row_t);
    table[i] = r; table[i][3] = 4; *table[i] = 5; table[i]++; ++table[0]; (*table[0])--; table[0] += 2; r = table[0]++; *pp = p; **pp = 3; pp[1] = NULL; pp++; (*pp)++; pp = 0; current = 0; *current++ = 1;
    lists[i].next = &lists[i]; lists[i].next->next = NULL; lists[0].first = (shared [] struct list *)&lists[1]; lists[0].first->p->x = 4; lists[i].flag = 1; lists[i].flag++; i = lists[i].flag; lists[i].next->flag |= 1;
    plain.next->l = 0; plain.p[2].x = 1; many[0]->next = &lists[1]; (*many)->first++;
    lp = (int *)p; lp = (int *)&matrix[1]; lp = (void *)r; p = (shared int *)r; p = (shared void *)r; r = (shared [] int *)(shared void *)p; p = (shared int *)(size_t)0; s = (size_t)p; s = (unsigned long)&counter; i = (int)(long)p;
    flag = 1; i = flag; flag++; flag += 2; *flag_p = 3; i = (*flag_p)--; data = flag;
    zs[i] = zs[0] * 2; zs[1] += 1.0 + 2.0 * I; bools[0] = !bools[1]; chars[i] = 'a'; text[i][3] = 0; text[0][1] ^= 3; colors[0] = green; colors[i] = colors[1]; i <<= colors[0];
    upc_memget(buf, &chars[4], 3); upc_memput(&chars[0], buf, sizeof(buf)); upc_memcpy(chars, &text[0][0], 4); upc_memset(p, 0, 4 * sizeof *p);
    lock_table[i] = upc_global_lock_alloc(); upc_lock(lock_table[0]); upc_unlock(*lock_ptr); if (upc_lock_attempt(locks[1])) upc_unlock(locks[1]); locks[0] = NULL; upc_lock_free(locks[2]);
    i = a[counter] + a[matrix[0][1]]; lp[counter] = pts[a[counter]].x; printf("%d %p %d\n", counter, lp, matrix[1][counter]); i = counter, counter = i; i = (counter++, counter); i = 3[&counter]; i += counter > 3 ? counter : data; i = -counter + ~data * !konst;
    q = getter(p); q = (*getter)(NULL); q = getters[1](); find(sp, cmp, p, NULL); getter = 0; variadic(1, p); any(p); any(NULL); p = any(p); p = krp(p); kr(p, 1, &chars[0] ? (shared [] char *)chars : 0);
    { shared int *ar[] = { p, &counter, NULL, krp(p), 0 }, *br[3] = { 0 }; struct { int k; shared int *m; } loc = { 1, &counter }, z = { 0 }; ar[0] = br[1]; ar[1]++; loc.m = z.m; *loc.m++ = ar[2][3]; (void)ar; point pz = (point){ 1, 2, NULL }; pts[1] = (point){ .x = 3, .name = (shared [] char *)chars }; pz = pz; }
    { static int calls; static shared int block_counter = 7; static shared [] int *sp2 = &matrix[1][2]; static shared int *tab2[2] = { &counter }; block_counter += calls++ + *sp2 + *tab2[0]; extern shared int elsewhere[]; elsewhere[2] = block_counter; }
    i = ({ int t = counter; t + data; }); i = ({ counter; }); p = ({ shared int *t = p; t++; t; }); __typeof__(counter) tc = counter; __typeof__(p) tp = p; tc = *tp;
    rp = (double (*)[N])(void *)&rows[MYTHREAD * N]; (*rp)[1] = 1.0; switch (counter) { case 1: counter = 2; default: break; } for (counter = 0; counter < 3; counter++) data += counter; if (counter == data) return; while (flag) ; 
    { int k, x[3][THREADS]; upc_forall (k = 0; k < n; k++; k) { x[0][k] = k; continue; } upc_forall (k = 0; k < n; ++k; &rows[k]) rows[k] = k; upc_forall (int m = 0, w = 1; m < w; m++; continue) ; upc_forall (; 0; ; ) ; upc_forall (k = 0; k < n; k++; rw + k) upc_forall (i = 0; i < n; i++; &counter) if (i) continue; else break; if (n) upc_forall (k = 0; k < 1; k++; 0) ; else n = 3; for (k = 0; k < 3; k++) upc_forall (i = 0; i < 2; i++; table[i]) data = 1; }
    upc_notify; upc_wait; upc_barrier n + 1; upc_notify (3); upc_wait counter; upc_fence; if (n) upc_barrier; else upc_fence;
    { 
#pragma upc strict
    data = 1; i = data; }
    pupc_control(1); upc_all_broadcast(chars, text, 1, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); upc_tick_t tick = upc_ticks_now(); (void)tick; exit(0); upc_global_exit(3);
}
int main(int argc, char **argv) { exprs(argc); return 0; }

// Second round of things people write.
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <stdbool.h>
#define BLK 16
#define SZ (BLK*THREADS)
typedef double matrix_t[4][4];
typedef struct { matrix_t m; shared [] int *idx; int (*fn)(shared int *, int); } rec_t, *rec_p;
typedef shared [BLK] int blocked_t;
typedef blocked_t *blocked_p;
typedef shared rec_t srec_t;
blocked_t arr[SZ];
srec_t recs[THREADS];
shared rec_t *shared recp;
extern shared double ext[];
shared [BLK] unsigned char bytes[BLK * THREADS];
static shared [] struct { int a; union { int u; float f; }; struct { int deep[2][2]; }; } anon_members[2];
shared struct tagless { int v; } one, two[THREADS], *tp;
shared int64_t big[THREADS]; shared uint8_t u8[THREADS]; shared bool flags[THREADS];
int (*table[2])(shared int *p, int n);
shared int *ret_arr(void), *(*fp)(void) = ret_arr;
struct fwd; shared struct fwd *fw; struct fwd { int a; shared struct fwd *n; };
static int helper(shared int *p, int n) { return p[n]; }
shared [BLK] int *blk_func(blocked_p p) { return p + 1; }
static void by_array(shared [BLK] int a[], int n, shared double d[THREADS]) { a[n] = d[n]; }
shared int *ret_arr(void) { static shared int local_static[THREADS]; return local_static; }
int old_style();
void strange(void) {
    int i, j; char *s = "x"; int loc[4] = { [0] = 1 };
    recs[0].m[1][2] = 3.0; recs[i].idx[j]++; recs[i].fn = helper; (void)recs[i].fn; loc[1] = (*recs[0].fn)(NULL, 3); recs[1].fn(&((shared int *)u8)[0], 2);
    recp = &recs[1]; recp->m[i][j] += recp[1].m[0][0]; recp->idx = NULL; recp++; if (!recp->idx) recp = (shared rec_t *)upc_all_alloc(THREADS, sizeof(rec_t));
    anon_members[0].u = 1; anon_members[1].f = anon_members[0].a; anon_members[i].deep[1][j]--;
    one.v = two[3].v; tp = &one; tp->v = 3; tp = two; tp += 1; one = two[1]; two[0] = *tp;
    big[0] = 1LL << 40; u8[i]++; flags[i] = true; flags[j] = u8[i] > 3 && !flags[0]; bytes[i] = 'a' + i; i = bytes[j] << 8 | bytes[j + 1];
    fw = NULL; fw->n->a = 3; arr[i] ^= arr[j]; arr[i] <<= 1; arr[(i + 1) % SZ] = -arr[i] + ~arr[j]; arr[arr[i]] = arr[arr[arr[j]]];
    blocked_p bp = arr, bq = &arr[3]; bp = blk_func(bp); bp = bq - 2; i = bq - bp; by_array(arr, 3, (shared double *)NULL); *bp = bp[1] = bq[2] = 7; i = *bp++ + *++bp + (*bp)++ + --*bp;
    i = *(int *)&arr[MYTHREAD * BLK]; memcpy(loc, (int *)&arr[MYTHREAD * BLK], sizeof loc); memset((void *)bp, 0, BLK * sizeof(*bp));
    old_style(i, arr[i], bp); old_style(); undeclared_thing(arr[0], s); printf("%s %d %lu\n", s, arr[0], (unsigned long)upc_threadof(&arr[i]));
    do { i++; if (arr[i] == 3) continue; else break; } while (arr[i] != arr[j] || flags[0]);
    switch (arr[i] & 3) { case 0: arr[i] = 1; break; case 1: { int q = arr[0]; arr[1] = q; } default: arr[2]++; }
    for (arr[0] = 0; arr[0] < 10 && !flags[1]; arr[0]++, i--) if (arr[i]) goto end; else { ; }
    upc_all_broadcast(arr, &arr[0], BLK * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); upc_all_reduceI(&big[0] ? (shared void *)arr : NULL, arr, UPC_ADD, SZ, BLK, NULL, UPC_IN_MYSYNC);
    { shared [] int *row[3], **rows = row; rows[0] = row[1] = (shared [] int *)upc_alloc(10 * sizeof(int)); rows[0][3] = *row[2]; rows[1]++; (*rows++)[1] = 2; *rows = &(*rows)[1]; free(rows); row[0] = rows[i = 1]; }
    { shared [] char *str = (shared [] char *)upc_alloc(20); char buf[20]; upc_memput(str, "hello", 6); upc_memget(buf, str, 6); while (*str) { putchar(*str++); } for (; *str != '\0'; ++str) ; int n = 0; while (str[n++]); }
    { struct pair { shared int *a; int b; } pr = { .b = 3 }, prs[2] = { { NULL, 1 }, { 0 } }, *pp = prs; pp->a = (shared int *)u8; *pp->a = 1; pp++->a[2] = 4; pr = *pp; (&pr)->a++; struct pair cp = pr; cp.a = pr.a ? pr.a : NULL; }
    { enum { E1 = sizeof(int), E2 }; shared [E1] int *pe = (shared [E1] int *)arr; pe = 0; (void)pe; shared [sizeof(double)] int *ps = 0; (void)ps; shared [sizeof(rec_t)] char *pr2 = 0; pr2 = pr2 + 1; }
    { int (*pa)[4] = &loc; (*pa)[1] = arr[0]; char c = "abc"[arr[1]]; loc[arr[1] & 3]++; c = (char)arr[0]; float f = (float)arr[0] / arr[1]; double d = 1. * arr[0]; (void)c; (void)f; (void)d; unsigned u = -1u; arr[u % 3] = u; long double ld = arr[0] * 1.0L; (void)ld; }
    { int v = ({ int z = arr[0]; if (z) arr[1] = z; arr[2]; }); v = (arr[0], arr[1]); v = arr[0] ? arr[1] ? 1 : 2 : 3; v += sizeof arr[0] + sizeof(arr[0]++) + sizeof(blocked_t) + sizeof(srec_t) + sizeof recs[0].m + sizeof(recp->m[0]) + sizeof(rec_p); }
end: upc_barrier; upc_notify 1; upc_wait 1;
}
int main() { strange(); return EXIT_SUCCESS; }

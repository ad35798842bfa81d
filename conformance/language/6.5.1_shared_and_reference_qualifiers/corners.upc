// threads: 1 2 3 4
// Corners of lowering: local types, static pointers in blocks, rows behind pointers, updates of pointers in shared memory.
#include <upc.h>
#include <stdio.h>
#include <string.h>
int failed;
#define CHECK(x) do { if (!(x)) { failed++; printf("thread %d line %d: %s\n", MYTHREAD, __LINE__, #x); } } while (0)
shared [3] int grid[4 * THREADS][3];
shared int x = 41, many[5 * THREADS];
shared [] int fixed[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
shared struct { char *text; int n; double d[2]; } info = { 0, 7, { 1.5, 2.5 } };
shared int *shared chain[THREADS];
strict shared int turn;
struct holder { int pad; shared int *p; shared [3] int *q[2]; };
static struct holder holders[] = { { 1, &x, { &grid[1][0], 0 } }, { .q = { [1] = &grid[2][1] } } };
shared int *const constant = &many[3];
static int calls(void) {
    struct local { int a, b; };
    static shared struct local counts[THREADS];
    static shared int *where = &many[2];
    static int n;
    counts[MYTHREAD].a++; counts[MYTHREAD].b += 2; n++;
    CHECK(counts[MYTHREAD].b == 2 * n); CHECK(where == &many[2] + (n - 1)); where++;
    return counts[MYTHREAD].a;
}
static shared [3] int *row(shared [3] int (*p)[3], int i) { return p[i]; }
int main(void) {
    int i, j;
    CHECK(x == 41 && fixed[1][2] == 6 && info.n == 7 && info.d[1] == 2.5);
    CHECK(holders[0].p == &x && holders[0].q[0] == &grid[1][0] && holders[0].q[1] == NULL && holders[1].q[1] == &grid[2][1] && holders[1].p == NULL);
    CHECK(constant == &many[3] && upc_phaseof(holders[1].q[1]) == 1);
    for (i = 1; i <= 3; i++) CHECK(calls() == i);
    upc_forall (i = 0; i < 4 * THREADS; i++; &grid[i][0]) for (j = 0; j < 3; j++) grid[i][j] = 10 * i + j;
    upc_barrier;
    { shared [3] int (*p)[3] = grid, (*e)[3] = &grid[4 * THREADS - 1];
      CHECK((*p)[2] == 2); CHECK(p[1][1] == 11); p++; CHECK((*p)[0] == 10); p += 2; CHECK(**p == 30); CHECK(e - p == 4 * THREADS - 4);
      CHECK(row(grid, 3)[1] == 31); CHECK(*(*(p - 1) + 2) == 22); CHECK(p < e || THREADS == 1); CHECK(p[-1][-1] == 12); CHECK(sizeof *p == 12); }
    { shared [3] int *q = &grid[0][0]; int sum = 0; while (q - &grid[0][0] < 12) sum += *q++; CHECK(sum == (0 + 10 + 20 + 30) * 3 + 12); CHECK(*--q == 32); CHECK(q[-12 + 1] == 0); }
    chain[MYTHREAD] = &many[MYTHREAD]; upc_barrier;
    { shared int *old = chain[MYTHREAD]++; CHECK(old == &many[MYTHREAD]); CHECK(chain[MYTHREAD] == old + 1); chain[MYTHREAD] += 2; CHECK(chain[MYTHREAD] - old == 3); CHECK(--chain[MYTHREAD] == old + 2); *chain[MYTHREAD] = 5 + MYTHREAD; CHECK(*(old + 2) == 5 + MYTHREAD); }
    upc_barrier;
    for (i = 0; i < 3 * THREADS; i++) { while (turn % THREADS != MYTHREAD) ; turn++; }
    upc_barrier; CHECK(turn == 3 * THREADS * THREADS);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) { x = 3; i = x++ + ++x; x *= 2; x -= many[0]; x <<= 1; x |= 1; }
    upc_barrier; CHECK(x == ((10 - many[0]) << 1 | 1));
    { union { shared int *p; char bytes[sizeof(shared int *)]; } u; memset(&u, 0, sizeof u); CHECK(u.p == NULL); u.p = constant; shared int *copy; memcpy(&copy, u.bytes, sizeof copy); CHECK(copy == constant); }
    { long a = (long)(many + 1); CHECK(a == (long)&many[1]); CHECK((_Bool)constant); CHECK(!(constant == 0)); CHECK((constant ? constant : NULL) == constant); CHECK((constant ?: &x) == constant); }
    { shared void *v = &grid[1][2]; shared [3] int *back = v; CHECK(upc_phaseof(back) == 2); CHECK(back + 1 == &grid[2][0]); shared [] int *flat = (shared [] int *)back; CHECK(upc_phaseof(flat) == 0); CHECK(*flat == 12); CHECK(upc_phaseof((shared [4] int *)back) == 0); }
    upc_barrier;
    many[MYTHREAD] = failed; upc_barrier;
    for (i = j = 0; i < THREADS; i++) j += many[i];
    if (!MYTHREAD && !j) printf("OK\n");
    return j != 0; }

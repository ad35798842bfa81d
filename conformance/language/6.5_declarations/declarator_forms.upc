// threads: 1 2 3 4 7
// Declarators of every form at file scope, typedefs of shared types, initialisers of shared and private
// objects.
#include <upc.h>
#include "check.h"

shared int a, *b, c[THREADS], *d[3], (*e)[4], *(*f)(void), (g), ((h[THREADS])), *shared i2;
shared int *f1(void), f2arr[THREADS], *f3(shared int *x, int y);

shared int *f1(void) { return &a; }

shared int *f3(shared int *x, int y) { return x + y; }

struct A {
    int x;
} shared sa, *sb, sc[THREADS];

shared struct B {
    int y;
    struct A in;
} sB;
typedef struct B Bt;
shared Bt sBt[THREADS];
typedef shared int sint, *psint, asint[THREADS];
sint s1;
psint s2 = &s1;
asint s3;
asint *s4;
static sint s5[2 * THREADS];
typedef int vec3[3];
shared [] vec3 v3;
shared vec3 v3a[THREADS];
shared [3] vec3 v3b[THREADS];
typedef shared [] vec3 *pv3;
typedef shared [3] vec3 blockvec;
blockvec bv[THREADS];

typedef struct {
    vec3 p[2];
} cell;

shared cell cells[THREADS];
extern shared int ext;
shared int ext;
extern shared int ext;
shared int tent;
shared int tent;
shared int tent2[THREADS];
extern shared int tent2[];
extern shared int tent2[THREADS];
static shared int st;
static shared int st;
shared [] int fl[] = {1, 2, 3};
shared [] const char msg[] = "hello";
shared [] int mat[][2] = {{1, 2}, {3, 4}, {5}};
shared char *cp = 0;
shared [] const char *shared msgp = 0;
shared const double pi = 3.14159;
shared [2] int ini[2 * THREADS] = {1, [1] = 2};

shared struct {
    int a;
    char s[8];
    float f[2];
} st1 = {3, "abc", {1.f, 2.f}};

shared [] struct {
    int k;
    const char *n;
} tbl[] = {{1, "one"}, {2, "two"}, {.n = "x", .k = 3}};

shared union {
    int i;
    float f;
} un = {.f = 1.0f};

shared int neg = -5, expr = (3 + 4) * sizeof(int), en_ = 'a';
shared _Bool bo = 7;
shared long double ldv = 1.5L;
shared unsigned long long ull = 0xffffffffffffffffULL;
shared int *pa = &a, *pb = c, *pc = c + 2, *pd = &c[1];
shared int *parr[] = {&a, c, 0, NULL, &c[0]};

struct {
    shared int *p;
    int k;
} sp[2] = {{&a, 1}, {c, 2}};

shared [3] int *p3 = (shared [3] int *)c;
shared void *pv = &a;
shared int *shared psh = &a;
shared int *shared psa[THREADS] = {&a};
shared [] int *pfl = fl;
shared [] int *pfl1 = fl + 1;
shared [] int *pfl2 = &fl[2];
shared [] int (*pm)[2] = mat;
shared [] int *pm0 = mat[1];
shared [] int *pm1 = &mat[2][0];
int *null_ = 0, loc[5] = {[2] = 3};
int (*fp)(void) = 0;
shared int *(*fpp)(void) = f1;
shared struct B *pB = &sB;
int *pin = &loc[2];
shared int *psi = (shared int *)&sB.y;
shared [] int *pin2 = &sB.in.x;

int main()
{
    CHECK(pa == &a && pb == c && pc == &c[2] && pd == &c[1] && parr[0] == &a && parr[1] == c && !parr[2] &&
          !parr[3] && parr[4] == c && sizeof parr / sizeof *parr == 5);
    CHECK(sp[0].p == &a && sp[1].p == c && sp[1].k == 2 && p3 == (shared [3] int *)c && pv == &a &&
          psh == &a && psa[0] == &a);
    CHECK(*pfl == 1 && *pfl1 == 2 && *pfl2 == 3 && pm[1][1] == 4 && (*pm)[0] == 1 && *pm0 == 3 && *pm1 == 5);
    CHECK(fpp() == &a && (*f1()) == 0 && f3(c, 1) == &c[1] && pB == &sB && *pin == 3 && psi != NULL &&
          *pin2 == 0);
    CHECK(fl[2] == 3 && sizeof fl == 12 && msg[4] == 'o' && sizeof msg == 6 && mat[2][0] == 5 &&
          mat[2][1] == 0 && sizeof mat == 24);
    CHECK(pi == 3.14159 && ini[0] == 1 && ini[1] == 2 && st1.s[2] == 'c' && st1.s[3] == 0 && st1.f[1] == 2 &&
          tbl[2].n[0] == 'x' && tbl[2].k == 3 && tbl[1].n[2] == 'o');
    CHECK(un.i == 0x3f800000 && neg == -5 && expr == 28 && en_ == 'a' && bo == 1 && ldv == 1.5L &&
          ull + 1 == 0);
    CHECK(sizeof(v3) == 12 && sizeof(blockvec) == 12 && upc_threadof(&bv[THREADS - 1][2]) == THREADS - 1 &&
          upc_threadof(&v3a[0][1]) == 1 % THREADS && upc_threadof(&v3b[THREADS - 1][2]) == THREADS - 1);
    cells[MYTHREAD].p[1][2] = 4;
    CHECK_EQUAL(cells[MYTHREAD].p[1][2], 4);
    CHECK_EQUAL(*cells[MYTHREAD].p[1], 0);
    s2 = &s1;
    s4 = &s3;
    CHECK((*s4)[0] == s3[0]);
    pv3 q = (pv3)&v3;
    CHECK_EQUAL((*q)[2], 0);
    ext = 1;
    tent = 2;
    st = 3;
    CHECK(e == NULL && f == NULL && i2 == NULL && d[1] == NULL);
    g = h[MYTHREAD] = 4;
    CHECK_EQUAL(g, 4);
    (h)[MYTHREAD] = 3;
    CHECK_EQUAL(sa.x + sc[MYTHREAD].x + sB.in.x + sBt[MYTHREAD].y, 0);
    return finish();
}

// threads: 1 2 3 4 7
// Shared structures and unions as values: copied, passed, returned, compared by members, nested, with arrays and bit fields.
#include <upc_relaxed.h>
#include <string.h>
#include "check.h"

typedef struct { double re, im; } complex_t;
typedef struct particle {
    complex_t z[2];
    char name[6];
    unsigned flag : 1, kind : 3;
    signed int small : 5;
    union { int i; float f; unsigned char b[4]; } u;
    struct { short lo, hi; };
    shared struct particle *partner;
    int *private_pointer;
} particle_t;

shared complex_t points[4 * THREADS];
shared [2] particle_t particles[2 * THREADS];
shared particle_t one;
shared union { long l; double d; char c[8]; } either[THREADS];
shared [] complex_t *list;
complex_t table[3];

static complex_t add(complex_t a, complex_t b)
{
    complex_t r = {a.re + b.re, a.im + b.im};

    return r;
}

static complex_t get(shared complex_t *p) { return *p; }
static complex_t get_index(int i) { return points[i]; }
static void set(shared complex_t *p, complex_t v) { *p = v; }
static particle_t make(int i)
{
    particle_t p = {{{i, -i}, {2 * i, i}}, "abc", 1, 5, -7, {.f = 1.5f}};

    p.lo = (short)i;
    p.hi = (short)-i;
    return p;
}
static double norm(const complex_t *z) { return z->re * z->re + z->im * z->im; }

int main(void)
{
    int i, t = (MYTHREAD + 1) % THREADS;
    complex_t c, d;
    particle_t mine, copy;
    shared [2] particle_t *p;

    for (i = 0; i < 4; i++)
        points[i * THREADS + MYTHREAD] = (complex_t){i, MYTHREAD};
    either[MYTHREAD].d = -2.0;
    upc_barrier;
    c = points[t];
    CHECK(c.re == 0 && c.im == t);
    d = add(points[THREADS + t], points[2 * THREADS]);
    CHECK(d.re == 3 && d.im == t);
    CHECK(get(&points[t]).im == t && get_index(THREADS).re == 1);
    CHECK(add(get(points), *(points + THREADS)).re == 1);
    CHECK((c = points[3 * THREADS]).re == 3);
    CHECK((MYTHREAD < THREADS ? points[t] : c).im == t);
    CHECK((MYTHREAD > THREADS ? points[t] : d).re == 3);
    table[1] = points[THREADS];
    table[2] = table[1];
    CHECK(table[2].re == 1 && norm(&table[2]) == 1);
    CHECK(sizeof(points[0]) == 16 && (either[t].l >> 63 & 1) && (unsigned char)either[t].c[7] == 0xc0);
    upc_barrier;
    points[MYTHREAD] = points[THREADS + MYTHREAD];
    set(&points[2 * THREADS + MYTHREAD], (complex_t){9, 9});
    points[3 * THREADS + MYTHREAD] = add(points[MYTHREAD], points[2 * THREADS + MYTHREAD]);
    upc_barrier;
    CHECK(points[3 * THREADS + t].re == 10 && points[3 * THREADS + t].im == 9 + t);
    points[MYTHREAD] = points[MYTHREAD] = points[2 * THREADS + MYTHREAD];
    CHECK(points[MYTHREAD].im == 9);

    particles[2 * MYTHREAD] = make(MYTHREAD);
    particles[2 * MYTHREAD + 1] = particles[2 * MYTHREAD];
    particles[2 * MYTHREAD + 1].partner = (shared particle_t *)&particles[2 * MYTHREAD];
    particles[2 * MYTHREAD].partner = NULL;
    upc_barrier;
    p = &particles[2 * t];
    mine = *p;
    CHECK(mine.z[1].re == 2 * t && !strcmp(mine.name, "abc") && mine.flag == 1 && mine.kind == 5 && mine.small == -7);
    CHECK(p->z[1].re == 2 * t && p->name[2] == 'c' && p->flag && p->kind == 5 && p->small == -7);
    CHECK(p[1].u.f == 1.5f && p[1].lo == t && p[1].hi == -t && p[1].z[0].im == -t);
    CHECK(p[1].partner->z[1].im == t && p[1].partner->partner == NULL && p->private_pointer == 0);
    CHECK((*p).u.b[3] == 0x3f && p->u.i == 0x3fc00000);
    upc_barrier;
    p = &particles[2 * MYTHREAD];
    p->kind++;
    p->small -= 2;
    p->flag ^= 1;
    p->name[0]++;
    p->z[0].re += 0.5;
    p->u.b[0] |= 3;
    ++p->hi;
    p[1].z[1] = p->z[0];
    memcpy(&copy, (particle_t *)p, sizeof copy);
    CHECK(copy.kind == 6 && copy.small == -9 && copy.flag == 0 && copy.name[0] == 'b' && copy.hi == 1 - MYTHREAD);
    CHECK(copy.u.i == 0x3fc00003 && p[1].z[1].re == MYTHREAD + 0.5);
    upc_barrier;
    upc_memget(&copy, &particles[2 * t], sizeof copy);
    upc_memput(&particles[2 * MYTHREAD + 1].z[1], &copy.z[0], sizeof copy.z[0]);
    CHECK(p[1].z[1].re == t + 0.5 && particles[2 * t].z[0].re == t + 0.5);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        one = particles[0];
    upc_barrier;
    CHECK(one.z[0].im == 0 && one.kind == 6 && (&one)->name[1] == 'b');
    list = upc_alloc(3 * sizeof(complex_t));
    list[0] = list[1] = points[t];
    list[2] = (complex_t){.im = 4};
    CHECK(list[0].re == 9 && (*(list + 2)).im == 4 && list[2].re == 0);
    *(complex_t *)&list[1] = table[1];
    CHECK(list[1].re == 1);
    upc_free(list);
    return finish();
}

// threads: 1 2 3 4 7
// Gravity between bodies in structures: forces by all pairs with private copies of the others' blocks,
// energy by a reduction.
#include <upc_relaxed.h>
#include <math.h>
#include <upc_collective.h>
#include "check.h"
#define PER 8
#define N (PER * THREADS)

typedef struct {
    double x[3];
} vec_t;

typedef struct {
    vec_t pos, vel;
    double mass;
} body_t;

shared [PER] body_t bodies[N];
shared [PER] vec_t force[N];
shared double energy, part[THREADS];
static double dt = 0.001;

static vec_t sub(vec_t a, vec_t b)
{
    vec_t r;
    int k;
    for (k = 0; k < 3; k++)
        r.x[k] = a.x[k] - b.x[k];
    return r;
}

static double dot(const vec_t *a, const vec_t *b)
{
    return a->x[0] * b->x[0] + a->x[1] * b->x[1] + a->x[2] * b->x[2];
}

static double total(void)
{
    int i, j;
    double e = 0;
    upc_forall (i = 0; i < N; i++; &bodies[i]) {
        vec_t v = bodies[i].vel;
        e += .5 * bodies[i].mass * dot(&v, &v);
        for (j = 0; j < i; j++) {
            vec_t d = sub(bodies[i].pos, bodies[j].pos);
            e -= bodies[i].mass * bodies[j].mass / sqrt(dot(&d, &d) + .01);
        }
    }
    part[MYTHREAD] = e;
    upc_all_reduceD(&energy, part, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return energy;
}

int main(void)
{
    int i, j, k, s, t;
    double e0, e1;
    body_t other[PER];
    vec_t momentum = {{0}};
    upc_forall (i = 0; i < N; i++; &bodies[i]) {
        bodies[i].mass = 1. / N;
        for (k = 0; k < 3; k++) {
            bodies[i].pos.x[k] = sin(i * 3. + k);
            bodies[i].vel.x[k] = 0;
        }
    }
    upc_barrier;
    e0 = total();
    for (s = 0; s < 5; s++) {
        upc_forall (i = 0; i < N; i++; &force[i])
            for (k = 0; k < 3; k++)
                force[i].x[k] = 0;
        for (t = 0; t < THREADS; t++) {
            int who = (MYTHREAD + t) % THREADS;
            upc_memget(other, &bodies[who * PER], sizeof other);
            upc_forall (i = 0; i < N; i++; &bodies[i])
                for (j = 0; j < PER; j++)
                    if (who * PER + j != i) {
                        vec_t d = sub(other[j].pos, bodies[i].pos);
                        double r = dot(&d, &d) + .01, f = bodies[i].mass * other[j].mass / (r * sqrt(r));
                        for (k = 0; k < 3; k++)
                            force[i].x[k] += f * d.x[k];
                    }
        }
        upc_barrier;
        upc_forall (i = 0; i < N; i++; &bodies[i])
            for (k = 0; k < 3; k++) {
                bodies[i].vel.x[k] += dt * force[i].x[k] / bodies[i].mass;
                bodies[i].pos.x[k] += dt * bodies[i].vel.x[k];
            }
        upc_barrier;
    }
    e1 = total();
    CHECK(fabs(e1 - e0) < 1e-4 * fabs(e0));
    for (i = 0; i < N; i++)
        for (k = 0; k < 3; k++)
            momentum.x[k] += bodies[i].mass * bodies[i].vel.x[k];
    CHECK(sqrt(dot(&momentum, &momentum)) < 1e-12);
    CHECK(fabs(bodies[N - 1].vel.x[0]) > 0 || N == 1);
    return finish();
}

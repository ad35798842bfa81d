/* Bodies in blocks; each step every thread reads all positions one by one from shared memory. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <math.h>
#define PER 64
#define BODIES (PER * THREADS)
#define STEPS 16
shared [PER] double x[PER * THREADS], y[PER * THREADS], m[PER * THREADS];
double vx[PER], vy[PER];

static void forces(void)
{
    int first = MYTHREAD * PER;
    for (int i = 0; i < PER; i++) {
        double px = x[first + i], py = y[first + i], fx = 0, fy = 0;
        for (int j = 0; j < BODIES; j++) {
            double dx = x[j] - px, dy = y[j] - py; /* POSITIONS */
            double r = dx * dx + dy * dy + 0.01;
            double f = m[j] / (r * sqrt(r));
            fx += f * dx;
            fy += f * dy;
        }
        vx[i] += 0.001 * fx;
        vy[i] += 0.001 * fy;
    }
}

static void move(void)
{
    int first = MYTHREAD * PER;
    for (int i = 0; i < PER; i++) {
        x[first + i] += vx[i];
        y[first + i] += vy[i];
    }
}

int main(void)
{
    for (int i = 0; i < PER; i++) {
        int k = MYTHREAD * PER + i;
        x[k] = k % 17;
        y[k] = k % 13;
        m[k] = 1;
    }
    upc_barrier;
    for (int s = 0; s < STEPS; s++) {
        forces();
        upc_barrier;
        move();
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("%g\n", x[0]);
    return 0;
}

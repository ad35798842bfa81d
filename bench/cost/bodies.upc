/* What attracts a body: all others, read one number at a time. */
#include <math.h>
#include "bodies.h"

shared [PER_THREAD] vector place[PER_THREAD * THREADS], speed[PER_THREAD * THREADS];
shared [PER_THREAD] double mass[PER_THREAD * THREADS];

static double square(double a)
{
    return a * a;
}

static double distance(double x, double y, double z)
{
    return sqrt(square(x) + square(y) + square(z) + 1e-6);
}

vector attraction(long i, long n)
{
    vector sum = {0, 0, 0};
    for (long j = 0; j < n; j++) {
        double x = place[j].x - place[i].x, y = place[j].y - place[i].y, z = place[j].z - place[i].z;
        double r = distance(x, y, z), f = mass[j] / (r * r * r);
        sum.x += f * x;
        sum.y += f * y;
        sum.z += f * z;
    }
    return sum;
}

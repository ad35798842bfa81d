/* Moves bodies, with bodies.upc. */
#include <stdio.h>
#include <stdlib.h>
#include "bodies.h"

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 10;
    long n = (long)PER_THREAD * THREADS, i;
    double sum = 0;

    upc_forall (i = 0; i < n; i++; &place[i]) {
        place[i].x = i % 17;
        place[i].y = i % 23;
        place[i].z = i % 29;
        mass[i] = 1;
    }
    upc_barrier;
    for (int k = 0; k < steps; k++) {
        upc_forall (i = 0; i < n; i++; &place[i]) {
            vector a = attraction(i, n);
            speed[i].x += 1e-5 * a.x;
            speed[i].y += 1e-5 * a.y;
            speed[i].z += 1e-5 * a.z;
        }
        upc_barrier;
        upc_forall (i = 0; i < n; i++; &place[i]) {
            place[i].x += speed[i].x;
            place[i].y += speed[i].y;
            place[i].z += speed[i].z;
        }
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        for (i = 0; i < n; i++)
            sum += place[i].x + place[i].y + place[i].z;
        printf("nbody %.6f\n", sum);
    }
    return 0;
}

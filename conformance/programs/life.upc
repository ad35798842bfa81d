// threads: 1 2 3 4 7
// Life on a torus of rows: two-dimensional shared arrays, ghost rows by upc_memget, pointers that swap.
#include <upc_relaxed.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#define H (8 * THREADS)
#define W 32
shared [8 * W] unsigned char world[2][H][W];
typedef shared [8 * W] unsigned char (*plane_t)[W];

static int alive(shared [8 * W] unsigned char (*p)[W], int i, int j) { return p[(i + H) % H][(j + W) % W]; }

static void step(plane_t from, plane_t to)
{
    int i, j;
    unsigned char above[W], below[W], *own;
    upc_forall (i = 0; i < H; i++; &from[i][0]) {
        upc_memget(above, from[(i + H - 1) % H], W);
        upc_memget(below, &from[(i + 1) % H][0], W);
        own = (unsigned char *)&from[i][0];
        for (j = 0; j < W; j++) {
            int l = (j + W - 1) % W, r = (j + 1) % W;
            int n = above[l] + above[j] + above[r] + own[l] + own[r] + below[l] + below[j] + below[r];
            to[i][j] = n == 3 || (n == 2 && own[j]);
        }
    }
}

static int count(plane_t p)
{
    int i, j, n = 0;
    for (i = 0; i < H; i++)
        for (j = 0; j < W; j++)
            n += alive(p, i, j);
    return n;
}

int main(void)
{
    int g;
    plane_t now = world[0], next = &world[1][0], t;
    const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    if (MYTHREAD == THREADS - 1)
        for (g = 0; g < 5; g++)
            now[glider[g][0]][glider[g][1]] = 1;
    upc_barrier;
    for (g = 0; g < 4 * 4; g++) {
        step(now, next);
        t = now;
        now = next;
        next = t;
        upc_barrier
        g;
    }
    CHECK_EQUAL(count(now), 5);
    for (g = 0; g < 5; g++)
        CHECK_EQUAL(alive(now, glider[g][0] + 4, glider[g][1] + 4), 1);
    CHECK(now == world[0] && next == world[1]);
    CHECK_EQUAL(sizeof world, 2 * H * W);
    CHECK_EQUAL(upc_threadof(&world[1][8 * MYTHREAD][0]), MYTHREAD);
    return finish();
}

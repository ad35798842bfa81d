// threads: 1 2 3 4 7
// Heat conduction in one and two dimensions with pointers that change places, compared with a serial run.
#include <upc_relaxed.h>
#include <math.h>
#include "check.h"

#define BLOCK 8
#define N (BLOCK * THREADS)
#define STEPS 25
shared [BLOCK] double old[BLOCK * THREADS], new[BLOCK * THREADS];
shared [BLOCK * 4] double grid[2][4 * THREADS][BLOCK];
shared double dt_max;
shared double dt_of[THREADS];

int main(void)
{
    shared [BLOCK] double *from = old, *to = new, *swap;
    double serial[2][N];
    int i, j, step, side = 0;

    upc_forall (i = 0; i < N; i++; &old[i])
        old[i] = new[i] = i == 0 ? 100 : i == N - 1 ? 50 : 0;
    for (i = 0; i < N; i++)
        serial[0][i] = serial[1][i] = i == 0 ? 100 : i == N - 1 ? 50 : 0;
    upc_barrier;
    for (step = 0; step < STEPS; step++) {
        double own_change = 0;

        upc_forall (i = 1; i < N - 1; i++; to + i) {
            to[i] = from[i] + 0.25 * (from[i - 1] - 2 * from[i] + from[i + 1]);
            if (fabs(to[i] - from[i]) > own_change)
                own_change = fabs(to[i] - from[i]);
        }
        dt_of[MYTHREAD] = own_change;
        for (i = 1; i < N - 1; i++)
            serial[1 - side][i] = serial[side][i] + 0.25 * (serial[side][i - 1] - 2 * serial[side][i] + serial[side][i + 1]);
        side = 1 - side;
        upc_barrier step;
        if (MYTHREAD == 0) {
            dt_max = 0;
            for (i = 0; i < THREADS; i++)
                dt_max = dt_of[i] > dt_max ? dt_of[i] : dt_max;
        }
        swap = from, from = to, to = swap;
        upc_barrier;
        CHECK(dt_max > 0);
    }
    for (i = 0; i < N; i++)
        CHECK(from[i] == serial[side][i]);

    // A grid with THREADS in the middle dimension: blocks of four rows.
    upc_forall (i = 0; i < 4 * THREADS; i++; &grid[0][i][0])
        for (j = 0; j < BLOCK; j++)
            grid[0][i][j] = i * BLOCK + j;
    upc_barrier;
    upc_forall (i = 1; i < 4 * THREADS - 1; i++; &grid[1][i][0])
        for (j = 1; j < BLOCK - 1; j++)
            grid[1][i][j] = (grid[0][i - 1][j] + grid[0][i + 1][j] + grid[0][i][j - 1] + grid[0][i][j + 1]) / 4;
    upc_barrier;
    for (i = 1; i < 4 * THREADS - 1; i++)
        for (j = 1; j < BLOCK - 1; j++)
            CHECK(grid[1][i][j] == i * BLOCK + j);
    return finish();
}

/*
 * Jacobi's iteration on a square plate, after what the reports of the versions before it say: the rows above and below
 * are fetched as blocks (blocks.upc), and own rows are used through pointers to private.
 *
 *     pgastool compile -O2 -DCLASS=S -o jacobi optimised.upc -lm  any number of threads, static or dynamic
 */
#include "plate.h"

/* One iteration; returns the sum of the squares of the changes in own rows. */
static double sweep(grid_t from, grid_t to)
{
    static double above[WIDTH], below[WIDTH];
    double squares = 0;
    int x, y;

    upc_forall (y = 1; y <= POINTS; y++; &to[y * WIDTH]) {
        const double *own = (const double *)&from[y * WIDTH];
        double *next = (double *)&to[y * WIDTH];

        upc_memget(above, &from[(y - 1) * WIDTH], sizeof above);
        upc_memget(below, &from[(y + 1) * WIDTH], sizeof below);
        for (x = 1; x <= POINTS; x++) {
            double difference;

            next[x] = (above[x] + below[x] + own[x - 1] + own[x + 1]) / 4;
            difference = next[x] - own[x];
            squares += difference * difference;
        }
    }
    return squares;
}

int main(void)
{
    grid_t old = new_grid(), new = new_grid(), swap;
    double start, squares = 0;
    int iteration;

    upc_barrier;
    start = npb_now();
    for (iteration = 0; iteration < ITERATIONS; iteration++) {
        squares = sweep(old, new);
        upc_barrier;
        swap = old;
        old = new;
        new = swap;
    }
    return finish(old, squares, npb_now() - start);
}

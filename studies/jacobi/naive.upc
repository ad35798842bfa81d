/*
 * Jacobi's iteration on a square plate as one writes it first: every point is used through a pointer-to-shared, whoever
 * owns it.
 *
 *     pgastool compile -O2 -DCLASS=S -o jacobi naive.upc -lm      any number of threads, static or dynamic
 */
#include "plate.h"

/* One iteration; returns the sum of the squares of the changes in own rows. */
static double sweep(grid_t from, grid_t to)
{
    double squares = 0;
    int x, y;

    upc_forall (y = 1; y <= POINTS; y++; &to[y * WIDTH])
        for (x = 1; x <= POINTS; x++) {
            double above = from[(y - 1) * WIDTH + x];
            double below = from[(y + 1) * WIDTH + x];
            double next = (above + below + from[y * WIDTH + x - 1] + from[y * WIDTH + x + 1]) / 4;
            double difference = next - from[y * WIDTH + x];

            to[y * WIDTH + x] = next;
            squares += difference * difference;
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

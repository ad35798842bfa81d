/* A picture of the Mandelbrot set. Each thread computes a part of the rows and writes them into the picture, which
   belongs to thread 0. The first version: simple, right, and slow. */
#include <stdio.h>
#include <upc.h>
#include "fractal.h"

shared [] int picture[ROWS * COLUMNS];

void draw_row(int row) {
    for (int column = 0; column < COLUMNS; column++)
        picture[row * COLUMNS + column] = colour(row, column);
}

int main(void) {
    int first = ROWS * MYTHREAD / THREADS, end = ROWS * (MYTHREAD + 1) / THREADS;
    for (int row = first; row < end; row++)
        draw_row(row);
    upc_barrier;
    if (MYTHREAD == 0) printf("checksum %lx\n", checksum(picture));
    return 0;
}

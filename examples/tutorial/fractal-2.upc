/* The second version: a queue of rows, from which every thread takes the next one as soon as it has time. */
#include <stdio.h>
#include <upc.h>
#include "fractal.h"

shared [] int picture[ROWS * COLUMNS];
shared int next_row;
upc_lock_t *queue;

void draw_row(int row) {
    for (int column = 0; column < COLUMNS; column++)
        picture[row * COLUMNS + column] = colour(row, column);
}

/* Draws the next row; 0 if there is none left. */
int draw_next(void) {
    upc_lock(queue);
    int row = next_row;
    if (row < ROWS) {
        draw_row(row);
        next_row = row + 1;
    }
    upc_unlock(queue);
    return row < ROWS;
}

int main(void) {
    queue = upc_all_lock_alloc();
    while (draw_next())
        ;
    upc_barrier;
    if (MYTHREAD == 0) printf("checksum %lx\n", checksum(picture));
    return 0;
}

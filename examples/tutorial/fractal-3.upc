/* The third version: the lock protects the number of the next row, and nothing else. */
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

/* The number of a row that nobody has drawn, ROWS or more if there is none. */
int take_row(void) {
    upc_lock(queue);
    int row = next_row;
    next_row = row + 1;
    upc_unlock(queue);
    return row;
}

int main(void) {
    queue = upc_all_lock_alloc();
    int row;
    while ((row = take_row()) < ROWS)
        draw_row(row);
    upc_barrier;
    if (MYTHREAD == 0) printf("checksum %lx\n", checksum(picture));
    return 0;
}

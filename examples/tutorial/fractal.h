/* What all steps of the tutorial have in common: the picture, and the colour of one of its points. */
#ifndef FRACTAL_H
#define FRACTAL_H

#define ROWS 120
#define COLUMNS 640
#define LIMIT 8000

/* How many steps a point of the plane takes to escape, at most LIMIT. Points that never do take longest. */
static int colour(int row, int column) {
    double re = -2.0 + 2.6 * column / COLUMNS, im = -0.1 + 1.3 * row / ROWS;
    double x = 0, y = 0;
    int n = 0;
    while (n < LIMIT && x * x + y * y < 4) {
        double t = x * x - y * y + re;
        y = 2 * x * y + im;
        x = t;
        n++;
    }
    return n;
}

/* A figure that is the same for the same picture. */
static unsigned long checksum(shared [] const int *picture) {
    unsigned long sum = 0;
    for (long i = 0; i < (long)ROWS * COLUMNS; i++)
        sum = sum * 31 + picture[i];
    return sum;
}
#endif

/* Reads and writes of another thread's data, element by element, in blocks, and at random. Lines are found by their
   comments. Every function is called once between barriers. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4000
#define COLUMNS 40

shared [N] double a[N * THREADS];
shared [N] double b[N * THREADS];
double copy[N];
double sum;

static int other(void) { return (MYTHREAD + 1) % THREADS; }

void read_elements(void) {
    int first = other() * N;
    for (int i = 0; i < N; i++)
        sum += a[first + i]; /* READ */
}

void read_two_arrays(void) {
    int first = other() * N;
    for (int i = 0; i < N; i++)
        sum += a[first + i] * b[first + i]; /* PRODUCT */
}

void read_column(void) {
    int first = other() * N;
    for (int round = 0; round < COLUMNS; round++)
        for (int i = round; i < N; i += COLUMNS)
            sum += a[first + i]; /* COLUMN */
}

void write_elements(void) {
    int first = other() * N;
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; i / N)
        b[first + i % N] = i; /* WRITE */
}

void read_at_random(void) {
    unsigned state = 12345 + MYTHREAD;
    int first = other() * N;
    for (int i = 0; i < N; i++) {
        state = state * 1103515245u + 12345u;
        sum += a[first + (state >> 8) % N]; /* RANDOM */
    }
}

void read_blocks(void) {
    for (int round = 0; round < 50; round++) {
        upc_memget(copy, &a[other() * N], (N / (1 + round % 7)) * sizeof(double)); /* BLOCK */
        for (int i = 0; i < N; i++)
            sum += copy[i];
    }
}

int main(void) {
    read_elements();
    upc_barrier;
    read_two_arrays();
    upc_barrier;
    read_column();
    upc_barrier;
    write_elements();
    upc_barrier;
    read_at_random();
    upc_barrier;
    read_blocks();
    upc_barrier;
    return sum < 0;
}

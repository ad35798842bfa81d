/*
 * The matrix of CG: a sum of n outer products of sparse random vectors, weighted from 1 down to RCOND, plus a multiple
 * of the identity that moves the eigenvalues by RCOND - SHIFT. All in private memory: each thread makes all vectors
 * and keeps what falls into its own rows.
 */
#ifndef CG_MATRIX_H
#define CG_MATRIX_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../common/npb.h"
#include "../common/randdp.h"
#include "cg_class.h"

#define MATRIX_SEED UINT64_C(314159265)
#define RCOND 0.1

/* Rows in compressed form: elements k of row i are row_start[i] <= k < row_start[i + 1], by ascending column. */
struct matrix {
    long *row_start;
    int *columns;
    double *values;
};

/* One random vector; the element on the diagonal is always there. */
struct sparse_vector {
    int count;
    int places[NONZEROS + 1];
    double values[NONZEROS + 1];
};

/* A stretch of the random numbers, since they are needed one at a time and made in batches. */
struct random_numbers {
    uint64_t state;
    int used;
    double batch[1024];
};

enum { RANDOM_BATCH = sizeof ((struct random_numbers *)0)->batch / sizeof(double) };

/* Vector number `diagonal`: distinct random places, each with a random value, then 1/2 on the diagonal. */
static void make_vector(struct sparse_vector *vector, int diagonal, struct random_numbers *random)
{
    int range = 1, i;

    while (range < N)
        range *= 2;
    vector->count = 0;
    while (vector->count < NONZEROS) {
        double value;
        int place;

        if (random->used == RANDOM_BATCH) {
            randdp_fill(random->batch, RANDOM_BATCH, &random->state);
            random->used = 0;
        }
        value = random->batch[random->used++]; /* they come in pairs, and the length of a batch is even */
        place = (int)(range * random->batch[random->used++]);
        for (i = 0; i < vector->count && vector->places[i] != place; i++)
            ;
        if (place < N && i == vector->count) {
            vector->places[vector->count] = place;
            vector->values[vector->count++] = value;
        }
    }
    for (i = 0; i < vector->count && vector->places[i] != diagonal; i++)
        ;
    if (i == vector->count)
        vector->places[vector->count++] = diagonal;
    vector->values[i] = 0.5;
}

static struct sparse_vector *make_vectors(void)
{
    struct sparse_vector *vectors = npb_allocate(N * sizeof *vectors);
    static struct random_numbers random;
    int i;

    random.state = randdp_skip(MATRIX_SEED, 1); /* the benchmark throws the first number away */
    random.used = RANDOM_BATCH;
    for (i = 0; i < N; i++)
        make_vector(&vectors[i], i, &random);
    return vectors;
}

/* Adds a row's worth of elements to a sorted row of `count`; returns how many there are then. */
static int add_to_row(int *columns, double *values, int count, const struct sparse_vector *vector, double factor)
{
    int i, at;

    for (i = 0; i < vector->count; i++) {
        int column = vector->places[i];

        for (at = count; at > 0 && columns[at - 1] > column; at--)
            ;
        if (at > 0 && columns[at - 1] == column) {
            values[at - 1] += factor * vector->values[i];
            continue;
        }
        memmove(columns + at + 1, columns + at, (size_t)(count - at) * sizeof *columns);
        memmove(values + at + 1, values + at, (size_t)(count - at) * sizeof *values);
        columns[at] = column;
        values[at] = factor * vector->values[i];
        count++;
    }
    return count;
}

/* Makes rows first .. first + rows - 1. */
static void make_matrix(struct matrix *matrix, int first, int rows)
{
    struct sparse_vector *vectors = make_vectors();
    long *room = npb_allocate((size_t)(rows + 1) * sizeof *room); /* where each row begins before it is compressed */
    int *counts = npb_allocate((size_t)(rows + 1) * sizeof *counts);
    double weight = 1, ratio = pow(RCOND, 1.0 / N);
    int i, j, row;

    for (i = 0; i < N; i++)
        for (j = 0; j < vectors[i].count; j++) {
            row = vectors[i].places[j] - first;
            if (row >= 0 && row < rows)
                room[row + 1] += vectors[i].count;
        }
    for (row = 0; row < rows; row++)
        room[row + 1] += room[row];
    matrix->columns = npb_allocate((size_t)room[rows] * sizeof *matrix->columns);
    matrix->values = npb_allocate((size_t)room[rows] * sizeof *matrix->values);
    matrix->row_start = npb_allocate((size_t)(rows + 1) * sizeof *matrix->row_start);

    for (i = 0; i < N; i++) {
        for (j = 0; j < vectors[i].count; j++) {
            row = vectors[i].places[j] - first;
            if (row >= 0 && row < rows)
                counts[row] = add_to_row(matrix->columns + room[row], matrix->values + room[row], counts[row],
                                         &vectors[i], weight * vectors[i].values[j]);
        }
        weight *= ratio;
    }
    for (row = 0; row < rows; row++) {
        int *columns = matrix->columns + room[row];
        double *values = matrix->values + room[row];
        long start = matrix->row_start[row];

        for (j = 0; j < counts[row]; j++)
            if (columns[j] == first + row)
                values[j] += RCOND - SHIFT;
        memmove(matrix->columns + start, columns, (size_t)counts[row] * sizeof *columns);
        memmove(matrix->values + start, values, (size_t)counts[row] * sizeof *values);
        matrix->row_start[row + 1] = start + counts[row];
    }
    free(room);
    free(counts);
    free(vectors);
}

#endif

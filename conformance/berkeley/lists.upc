// threads: 1 2 3 4 7
// Copies between several places at once: lists of pieces, of addresses, at a distance, sections of matrices.
#include <upc.h>
#include <string.h>
#include "check.h"

#if !BUPC_SG_DESIGN_A || !BUPC_SG_DESIGN_B || !BUPC_STRIDED_DESIGN_A || !BUPC_STRIDED_DESIGN_B
#error "there are lists and sections of both designs"
#endif

#define N 24

shared [N] int data[N * THREADS], target[N * THREADS];
shared [] int *piece;

static void fill(void)
{
    int i;

    upc_barrier;
    for (i = 0; i < N; i++) {
        data[N * MYTHREAD + i] = 100 * MYTHREAD + i;
        target[N * MYTHREAD + i] = -1;
    }
    upc_barrier;
}

int main(void)
{
    int own[N], i, j, round, next = (MYTHREAD + 1) % THREADS;
    shared [N] int *from = &data[N * next], *to = &target[N * MYTHREAD];

    for (round = 0; round < 2; round++) {
        // Pieces of three numbers and of one become two pieces of two.
        bupc_smemvec_t source[3] = {{from + 1, 3 * sizeof(int)}, {from + 7, 0}, {from + 10, sizeof(int)}};
        bupc_pmemvec_t places[2] = {{own, 2 * sizeof(int)}, {own + 5, 2 * sizeof(int)}};
        bupc_pmemvec_t whole = {own, 7 * sizeof(int)};
        bupc_smemvec_t targets[2] = {{to, 4 * sizeof(int)}, {to + 8, 3 * sizeof(int)}};
        bupc_smemvec_t both[1] = {{to + 20, 4 * sizeof(int)}};

        fill();
        memset(own, 0xff, sizeof own);
        if (round == 0)
            bupc_memget_vlist(2, places, 3, source);
        else
            bupc_waitsync(bupc_memget_vlist_async(2, places, 3, source));
        CHECK_EQUAL(own[0], 100 * next + 1);
        CHECK_EQUAL(own[1], 100 * next + 2);
        CHECK_EQUAL(own[2], -1);
        CHECK_EQUAL(own[5], 100 * next + 3);
        CHECK_EQUAL(own[6], 100 * next + 10);
        if (round == 0) {
            bupc_memput_vlist(2, targets, 1, &whole);
            bupc_memcpy_vlist(1, both, 3, source);
        } else {
            bupc_waitsync(bupc_memput_vlist_async(2, targets, 1, &whole));
            bupc_waitsync(bupc_memcpy_vlist_async(1, both, 3, source));
        }
        for (i = 0; i < 7; i++)
            CHECK_EQUAL(to[i < 4 ? i : i + 4], own[i]);
        CHECK_EQUAL(to[22], 100 * next + 3);
        CHECK_EQUAL(to[23], 100 * next + 10);
    }

    for (round = 0; round < 2; round++) {
        shared const void *source[4] = {from + 9, from + 6, from + 3, from};
        const void *own_source[2] = {own, own + 4};
        void *own_target[2] = {own + 4, own};
        shared void *targets[4] = {to, to + 2, to + 4, to + 6};
        shared void *twice[2] = {to + 10, to + 20};

        fill();
        if (round == 0)
            bupc_memget_ilist(2, own_target, 2 * sizeof(int), 4, source, sizeof(int));
        else
            bupc_waitsync(bupc_memget_ilist_async(2, own_target, 2 * sizeof(int), 4, source, sizeof(int)));
        CHECK_EQUAL(own[4], 100 * next + 9);
        CHECK_EQUAL(own[5], 100 * next + 6);
        CHECK_EQUAL(own[0], 100 * next + 3);
        CHECK_EQUAL(own[1], 100 * next);
        if (round == 0) {
            bupc_memput_ilist(4, targets, sizeof(int), 2, own_source, 2 * sizeof(int));
            bupc_memcpy_ilist(2, twice, 2 * sizeof(int), 4, source, sizeof(int));
        } else {
            bupc_waitsync(bupc_memput_ilist_async(4, targets, sizeof(int), 2, own_source, 2 * sizeof(int)));
            bupc_waitsync(bupc_memcpy_ilist_async(2, twice, 2 * sizeof(int), 4, source, sizeof(int)));
        }
        CHECK_EQUAL(to[0], 100 * next + 3);
        CHECK_EQUAL(to[2], 100 * next);
        CHECK_EQUAL(to[4], 100 * next + 9);
        CHECK_EQUAL(to[6], 100 * next + 6);
        CHECK_EQUAL(to[1], -1);
        CHECK_EQUAL(to[11], 100 * next + 6);
        CHECK_EQUAL(to[20], 100 * next + 3);
    }

    for (round = 0; round < 2; round++) {
        size_t e = sizeof(int);

        fill();
        // Every third number, side by side.
        if (round == 0)
            bupc_memget_fstrided(own, 8 * e, 8 * e, 1, from, e, 3 * e, 8);
        else
            bupc_waitsync(bupc_memget_fstrided_async(own, 8 * e, 8 * e, 1, from, e, 3 * e, 8));
        for (i = 0; i < 8; i++)
            CHECK_EQUAL(own[i], 100 * next + 3 * i);
        if (round == 0) {
            bupc_memput_fstrided(to, 2 * e, 6 * e, 4, own, 4 * e, 4 * e, 2);
            bupc_memcpy_fstrided(to + 3, e, 6 * e, 4, from, 2 * e, 4 * e, 2);
        } else {
            bupc_waitsync(bupc_memput_fstrided_async(to, 2 * e, 6 * e, 4, own, 4 * e, 4 * e, 2));
            bupc_waitsync(bupc_memcpy_fstrided_async(to + 3, e, 6 * e, 4, from, 2 * e, 4 * e, 2));
        }
        for (i = 0; i < 8; i++)
            CHECK_EQUAL(to[i / 2 * 6 + i % 2], 100 * next + 3 * i);
        for (i = 0; i < 4; i++)
            CHECK_EQUAL(to[3 + 6 * i], 100 * next + i / 2 * 4 + i % 2);
    }

    for (round = 0; round < 2; round++) {
        // 2 by 3 numbers out of a matrix of rows of 6, into one of rows of 4.
        size_t e = sizeof(int), wide[1] = {6 * e}, narrow[1] = {4 * e}, count[2] = {3 * e, 2}, none[1] = {5 * e};

        fill();
        if (round == 0)
            bupc_memget_strided(own, narrow, from + 7, wide, count, 1);
        else
            bupc_waitsync(bupc_memget_strided_async(own, narrow, from + 7, wide, count, 1));
        for (i = 0; i < 2; i++)
            for (j = 0; j < 3; j++)
                CHECK_EQUAL(own[4 * i + j], 100 * next + 7 + 6 * i + j);
        if (round == 0) {
            bupc_memput_strided(to + 6, wide, own, narrow, count, 1);
            bupc_memcpy_strided(to + 18, narrow, from, narrow, none, 0);
        } else {
            bupc_waitsync(bupc_memput_strided_async(to + 6, wide, own, narrow, count, 1));
            bupc_waitsync(bupc_memcpy_strided_async(to + 18, narrow, from, narrow, none, 0));
        }
        for (i = 0; i < 2; i++)
            for (j = 0; j < 3; j++)
                CHECK_EQUAL(to[6 + 6 * i + j], 100 * next + 7 + 6 * i + j);
        for (i = 0; i < 5; i++)
            CHECK_EQUAL(to[18 + i], 100 * next + i);
    }

    // Three levels: every second number of every second row of both halves.
    {
        size_t e = sizeof(int), near[3] = {e, 3 * e, 6 * e}, far[3] = {2 * e, 12 * e, 0}, count[4] = {e, 3, 2, 2};
        size_t strides[3] = {2 * e, 6 * e, 12 * e};

        (void)far;
        fill();
        bupc_memget_strided(own, near, from, strides, count, 3);
        for (i = 0; i < 12; i++)
            CHECK_EQUAL(own[i], 100 * next + i % 3 * 2 + i / 3 % 2 * 6 + i / 6 * 12);
    }
    return finish();
}

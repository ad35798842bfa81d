// threads: 1 2 3 4 7
// Block sizes as constant expressions of every kind, predefined macros in #if, declarations by macros.
#include <upc.h>
#include "check.h"
#ifdef __UPC_STATIC_THREADS__
#if THREADS == 3
#define THREE 1
#endif
#endif
#if defined(__UPC_DYNAMIC_THREADS__) && defined(__UPC_STATIC_THREADS__)
#error both
#endif
#if __UPC_VERSION__ < 200505L || UPC_MAX_BLOCK_SIZE < 65535
#error version
#endif
#pragma upc relaxed
#pragma pupc on
#pragma upc_code
#pragma omp parallel
#define CAT(a, b) a##b
#define DECL(t, n)                  \
    shared t CAT(n, _arr)[THREADS]; \
    shared [] t *CAT(n, _ptr);       \
    static shared t CAT(n, _one)
DECL(int, i);
DECL(double, d);
DECL(
    struct { int q; }, s);
#define STR(x) #x
shared [(sizeof(double) == 8) ? 4 : 2] int cond_block[8 * THREADS];
shared [1 << 3] int shift_block[8 * THREADS];
shared ['\x04'] char char_block[4 * THREADS];

enum { BS = 6, NB = 2 };

shared [BS * NB / 4] int enum_block[BS * THREADS];
shared [sizeof(int)] char size_block[4 * THREADS];
shared [(unsigned char)258] int cast_block[2 * THREADS];
shared [1] int one[THREADS];
shared [+3] int plus[3 * THREADS];
shared [!0] int not0[THREADS];
shared [0] int zero[7];
shared [07] int oct[7 * THREADS];
shared [0x8u] int hex[8 * THREADS];
shared [3L] int lng[3 * THREADS];
shared [10 % 4] int mod[2 * THREADS];
shared [sizeof(struct { int a, b; })] char anon[8 * THREADS];
shared [__alignof__(double)] char al[8 * THREADS];

int main()
{
    (void)STR(upc_barrier);
    CHECK_EQUAL(upc_blocksizeof(cond_block), 4);
    CHECK_EQUAL(upc_blocksizeof(shift_block), 8);
    CHECK_EQUAL(upc_blocksizeof(char_block), 4);
    CHECK_EQUAL(upc_blocksizeof(enum_block), 3);
    CHECK_EQUAL(upc_blocksizeof(size_block), 4);
    CHECK_EQUAL(upc_blocksizeof(cast_block), 2);
    CHECK_EQUAL(upc_blocksizeof(zero), 0);
    CHECK_EQUAL(upc_blocksizeof(oct), 7);
    CHECK_EQUAL(upc_blocksizeof(anon), 8);
    CHECK_EQUAL(upc_blocksizeof(al), 8);
    CHECK_EQUAL(upc_threadof(&cond_block[7]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&al[15 % (8 * THREADS)]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&anon[8 % (8 * THREADS)]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&zero[6]), 0);
    CHECK_EQUAL(upc_threadof(&plus[3 % (3 * THREADS)]), 1 % THREADS);
    i_arr[MYTHREAD] = 1;
    d_one = 2;
    s_arr[MYTHREAD].q = 3;
    i_ptr = (shared [] int *)&i_arr[MYTHREAD];
    CHECK_EQUAL(*i_ptr, 1);
    s_one.q = 4;
    CHECK_EQUAL(s_one.q + s_arr[MYTHREAD].q, 7);
#ifdef THREE
    CHECK_EQUAL(THREADS, 3);
    {
        static shared [THREADS] int q[THREADS * THREADS];
        static shared [10 / THREADS] int r[10];
        shared [THREADS * 2] int *p = (shared [THREADS * 2] int *)q;
        CHECK_EQUAL(upc_blocksizeof(q), 3);
        CHECK_EQUAL(upc_threadof(&q[4]), 1);
        (void)p;
        (void)r;
        int sw = 3;
        switch (sw) {
        case THREADS:
            break;
        default:
            CHECK(0);
        }
    }
#endif
    CHECK(sizeof(upc_localsizeof(oct)) == sizeof(size_t));
    CHECK_EQUAL(upc_localsizeof(oct), 28);
    CHECK_EQUAL(upc_elemsizeof(anon), 1);
    CHECK_EQUAL(upc_elemsizeof(shared [4] double[4 * THREADS]), 8);
    CHECK_EQUAL(upc_localsizeof(shared [4] double[4 * THREADS]), 32);
    CHECK_EQUAL(upc_blocksizeof(shared int), 1);
    CHECK_EQUAL(upc_blocksizeof(*i_ptr), 0);
    return finish();
}

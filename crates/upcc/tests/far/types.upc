// threads: 1 2 3
// Single accesses to data of every type on another thread: relaxed and strict, as values, in
// assignments, as operands that are stepped.
#include <upc.h>
#include <complex.h>
#include <string.h>
#include "check.h"

enum colour { RED, GREEN = 7, BLUE = -3 };
typedef int vector __attribute__((vector_size(16)));
typedef unsigned char byte;
typedef int (*function)(int);
typedef shared [3] int *to_three;

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int places[4];
static int rows[2][3];
shared [3] int three[3 * THREADS];

/* The element of the next thread is changed; `a` and `b` are values that differ. */
#define ACCESS(type, name, a, b)                                            \
    shared type name[THREADS];                                              \
    strict shared type strict_##name[THREADS];                              \
    static void test_##name(void)                                           \
    {                                                                       \
        int to = (MYTHREAD + 1) % THREADS, i = to;                          \
        type first = a, second = b, got;                                    \
        name[to] = first;                                                   \
        got = name[to];                                                     \
        CHECK(got == first);                                                \
        got = name[i++] = second;                                           \
        CHECK(i == to + 1 && got == second && name[to] == second);          \
        CHECK((name[to] = first) == first);                                 \
        strict_##name[to] = first;                                          \
        got = strict_##name[to];                                            \
        CHECK(got == first);                                                \
        got = strict_##name[to] = second;                                   \
        CHECK(got == second && strict_##name[to] == second);                \
        strict_##name[to] = name[to];                                       \
        CHECK(strict_##name[to] == first);                                  \
        shared type *p = &name[to];                                         \
        *p = second;                                                        \
        CHECK(p[0] == second && *&*p == second);                            \
        type array[2] = {name[to], *p}, copy = name[to];                    \
        CHECK(array[0] == second && array[1] == second && copy == second);  \
        CHECK((MYTHREAD < 1000 ? name[to] : array[0]) == second);           \
        CHECK((0, name[to]) == second);                                     \
        CHECK(sizeof(name[to]) == sizeof(type));                            \
        CHECK(!name[to] == !second);                                        \
        upc_barrier;                                                        \
    }

#define NUMBER(type, name, a, b)                                            \
    ACCESS(type, name, a, b)                                                \
    static void step_##name(void)                                           \
    {                                                                       \
        int to = (MYTHREAD + 1) % THREADS, i = to;                          \
        type x = a, y = b;                                                  \
        name[to] = x;                                                       \
        CHECK(name[to]++ == x++ && name[to] == x);                          \
        CHECK(++name[to] == ++x && name[to] == x);                          \
        CHECK(name[to]-- == x-- && --name[to] == --x && name[to] == x);     \
        CHECK((name[to] += y) == (x += y) && name[to] == x);                \
        CHECK((name[i++] -= y) == (x -= y) && i == to + 1);                 \
        CHECK((name[to] *= 3) == (x *= 3) && (name[to] /= 2) == (x /= 2));  \
        strict_##name[to] = x;                                              \
        CHECK(strict_##name[to]++ == x++ && --strict_##name[to] == --x);    \
        CHECK((strict_##name[to] += 5) == (x += 5));                        \
        CHECK((strict_##name[to] *= 2) == (x *= 2));                        \
        name[to] += strict_##name[to] += 1;                                 \
        upc_barrier;                                                        \
    }

#define INTEGER(type, name, a, b)                                           \
    NUMBER(type, name, a, b)                                                \
    static void bits_##name(void)                                           \
    {                                                                       \
        int to = (MYTHREAD + 1) % THREADS;                                  \
        type x = a, y = b;                                                  \
        name[to] = x;                                                       \
        CHECK((name[to] %= 7) == (x %= 7));                                 \
        CHECK((name[to] <<= 3) == (x <<= 3) && (name[to] >>= 1) == (x >>= 1)); \
        CHECK((name[to] |= y) == (x |= y) && (name[to] ^= 1) == (x ^= 1));  \
        CHECK((name[to] &= 60) == (x &= 60) && ~name[to] == ~x);            \
        CHECK(-name[to] == -x && +name[to] == +x);                          \
        upc_barrier;                                                        \
    }

INTEGER(char, plain_char, 100, 90)
INTEGER(signed char, signed_char, -100, 90)
INTEGER(unsigned char, unsigned_char, 250, 90)
INTEGER(byte, named, 250, 90)
INTEGER(short, a_short, -30000, 5)
INTEGER(unsigned short, unsigned_short, 65000, 5)
INTEGER(int, an_int, -2000000, 77)
INTEGER(unsigned, an_unsigned, 4000000000u, 77)
INTEGER(long, a_long, -1234567890123, 99)
INTEGER(unsigned long, unsigned_long, 12345678901234567890u, 99)
INTEGER(long long, long_long, -1234567890123, 99)
INTEGER(unsigned long long, unsigned_long_long, 12345678901234567890u, 99)
INTEGER(__int128, int_128, (__int128)-5 << 70, 99)
NUMBER(float, a_float, 1.25f, -7.5f)
NUMBER(double, a_double, 1e100, -7.5)
NUMBER(long double, long_double, 1.25L, -7.5L)
ACCESS(_Bool, a_bool, 1, 0)
ACCESS(float complex, complex_float, 1 + 2 * I, 3 - I)
ACCESS(double complex, complex_double, 1 + 2 * I, 3 - I)
ACCESS(long double complex, complex_long_double, 1 + 2 * I, 3 - I)
ACCESS(enum colour, colour, GREEN, BLUE)
ACCESS(function, function_pointer, twice, thrice)

int *shared pointer[THREADS];
int (*shared row_pointer[THREADS])[3];
const char *shared text[THREADS];
shared int *shared pts[THREADS];
to_three shared pts_three[THREADS];
strict shared struct {
    shared [3] int *p;
} in_structure[THREADS];
shared vector vectors[THREADS];
shared __typeof__(double) typed[THREADS];
shared _Bool flag[THREADS];

static void test_pointers(void)
{
    int to = (MYTHREAD + 1) % THREADS;
    pointer[to] = places;
    CHECK(pointer[to] == places && *pointer[to] == 0);
    CHECK(pointer[to]++ == places && ++pointer[to] == places + 2);
    CHECK((pointer[to] -= 1) == places + 1 && pointer[to][-1] == 0);
    *pointer[to] = 5;
    pointer[to][1] += 6;
    CHECK(places[1] == 5 && places[2] == 6);
    row_pointer[to] = rows;
    CHECK(row_pointer[to]++ == rows && ++row_pointer[to] == rows + 2);
    text[to] = "text";
    CHECK(!strcmp(text[to], "text") && text[to][1] == 'e' && *text[to]++ == 't');
    CHECK(function_pointer[to] != 0 && function_pointer[to](4) == 12);
    upc_barrier;
}

static void test_pointers_to_shared(void)
{
    int to = (MYTHREAD + 1) % THREADS, i = to;
    pts[to] = &an_int[to];
    an_int[to] = 40;
    CHECK(*pts[to] == 40 && pts[to] == &an_int[to] && (*pts[to])++ == 40 && an_int[to] == 41);
    CHECK(pts[to] && upc_threadof(pts[to]) == to);
    pts[to] = NULL;
    CHECK(!pts[to] && pts[to] == NULL);
    shared int *q = pts[to] = &an_int[0];
    CHECK(q == &an_int[0]);
    upc_barrier;
    pts_three[to] = three;
    CHECK(pts_three[to]++ == three && ++pts_three[to] == three + 2);
    CHECK((pts_three[i++] += 1) == three + 3 && i == to + 1 && (pts_three[to] -= 3) == three);
    CHECK(upc_phaseof(pts_three[to] + 2) == 2 && pts_three[to] + 2 - pts_three[to] == 2);
    in_structure[to].p = pts_three[to];
    CHECK(in_structure[to].p++ == three && upc_phaseof(in_structure[to].p) == 1);
    in_structure[to].p[0] = 12 + MYTHREAD;
    shared [3] int *p = pts_three[to] += 1;
    CHECK(p == in_structure[to].p);
    upc_barrier;
}

static void test_complex(void)
{
    int to = (MYTHREAD + 1) % THREADS;
    complex_double[to] = 1 + 2 * I;
    CHECK(__real__ complex_double[to] == 1 && __imag__ complex_double[to] == 2);
    __imag__ complex_double[to] = 5;
    __real__ complex_double[to] += 2;
    CHECK(complex_double[to] == 3 + 5 * I && cimag(complex_double[to]) == 5);
    complex_double[to] *= I;
    CHECK(complex_double[to] == -5 + 3 * I);
    upc_barrier;
}

static void test_vectors(void)
{
    int to = (MYTHREAD + 1) % THREADS;
    vector v = {1, 2, 3, 4};
    vectors[to] = v;
    vectors[to] += v;
    vector w = vectors[to];
    CHECK(w[0] == 2 && w[3] == 8);
    typed[to] = 1.5;
    typed[to] *= 2;
    typed[to]++;
    CHECK(typed[to] == 4 && typed[to]-- == 4 && (typed[to] += 1) == 4);
    upc_barrier;
}

static void test_bool(void)
{
    int to = (MYTHREAD + 1) % THREADS;
    CHECK((flag[to] = 0.5) == 1 && flag[to]);
    flag[to] = 256;
    CHECK(flag[to] == 1);
    flag[to] = &places[0];
    CHECK(flag[to] == 1);
    flag[to] &= 0;
    CHECK(!flag[to] && (flag[to] += 0.5) == 1);
    flag[to] = &an_int[0];
    CHECK(flag[to]);
    CHECK(_Generic(plain_char[to], char : 1, default : 0));
    CHECK(_Generic(signed_char[to], signed char : 1, default : 0));
    CHECK(_Generic(colour[to], int : 1, default : 0));
    upc_barrier;
}

#define BOTH(name) test_##name(), step_##name()
#define ALL(name) BOTH(name), bits_##name()

int main(void)
{
    upc_barrier;
    ALL(plain_char), ALL(signed_char), ALL(unsigned_char), ALL(named), ALL(a_short);
    ALL(unsigned_short), ALL(an_int), ALL(an_unsigned), ALL(a_long), ALL(unsigned_long);
    ALL(long_long), ALL(unsigned_long_long), ALL(int_128);
    BOTH(a_float), BOTH(a_double), BOTH(long_double);
    test_a_bool(), test_complex_float(), test_complex_double(), test_complex_long_double();
    test_colour(), test_function_pointer();
    test_pointers();
    test_pointers_to_shared();
    test_complex();
    test_vectors();
    test_bool();
    return finish();
}

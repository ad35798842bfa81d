// threads: 1 2 3 4
// Plain C that passes through: what real programs and system headers use.
#include <upc.h>
#include <alloca.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define STRING(x) #x
#define JOIN(a, b) a##b

struct tree {
    struct tree *left, *right;
    int key;
    unsigned flag : 1;
};
union mixed {
    int i;
    float f;
    char bytes[sizeof(double)];
};
enum level { LOW = -1, MIDDLE, HIGH = 10, HIGHER };
typedef int (*compare_t)(const void *, const void *);
static const char *const names[] = {"zero", "one", [3] = "three"};
static int matrix[][3] = {{1, 2, 3}, {4, 5, 6}};
static struct { int x; struct { int y[2]; } in; } nested = {.in.y[1] = 9, .x = 1};
extern int declared __attribute__((unused));
int aligned __attribute__((aligned(32)));
_Static_assert(sizeof(int) == 4, "int");
volatile sig_atomic_t signalled;
static inline int square(int x) { return x * x; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static jmp_buf environment;
shared int x;

static int sum(int n, ...)
{
    va_list list;
    int s = 0;
    va_start(list, n);
    while (n--)
        s += va_arg(list, int);
    va_end(list);
    return s;
}

static int jump(int n)
{
    void *targets[] = {&&one, &&two};
    goto *targets[n];
one:
    return 1;
two:
    return 2;
}

static int grade(int c)
{
    switch (c) {
    case 'a' ... 'c':
        return 1;
    case 'd':
    case 'e': {
        int local = 2;
        return local;
    }
    default:
        return 0;
    }
}

int main(void)
{
    int numbers[] = {5, 3, 9, 1}, i, *p = numbers, (*pa)[4] = &numbers;
    double complex z = 1 + 2 * I;
    long long big = 0x7fffffffffffffffLL;
    unsigned u = 0xffffffffU;
    char c = '\x41', octal = '\101', *s = "con" "cat\t\"\\";
    wchar_t w = L'x';
    struct tree leaf = {.key = 3}, root = {&leaf, NULL, 1, 1};
    struct tree *t = &(struct tree){.key = 8};
    compare_t f = compare;

    qsort(numbers, 4, sizeof *numbers, f);
    CHECK(numbers[0] == 1 && numbers[3] == 9 && (*pa)[1] == 3 && *++p == 3 && p[-1] == 1);
    CHECK(creal(z * z) == -3 && cabs(3 + 4 * I) == 5);
    CHECK(big == LLONG_MAX && u == UINT_MAX && c == octal && w == 120);
    CHECK(strlen(s) == 9 && !strcmp(STRING(a + b), "a + b"));
    CHECK(root.left->key == 3 && t->key == 8 && root.flag);
    CHECK(JOIN(squ, are)(4) == 16 && MAX(2, 3) == 3 && sum(3, 1, 2, 3) == 6);
    CHECK(jump(0) == 1 && jump(1) == 2 && grade('b') == 1 && grade('e') == 2 && grade('z') == 0);
    CHECK(names[2] == NULL && names[3][0] == 't' && matrix[1][2] == 6 && nested.in.y[1] == 9);
    CHECK(HIGHER == 11 && LOW < MIDDLE && offsetof(struct tree, key) == 16);
    CHECK(((uintptr_t)&aligned & 31) == 0);
    CHECK(_Generic(1.0f, float: 1, default: 2) == 1);
    CHECK(__builtin_types_compatible_p(int, __typeof__(i)) && __builtin_expect(1, 1));
    CHECK(fabs(sin(M_PI / 6) - 0.5) < 1e-12 && isdigit('7') && toupper('q') == 'Q');
    if (setjmp(environment) == 0)
        longjmp(environment, 1);
    else
        i = 77;
    CHECK_EQUAL(i, 77);
    for (int j = 0, k = 10; j < k; j++, k--)
        i = j;
    CHECK_EQUAL(i, 4);
    {
        int n = 3;
        int vla[n][n + 1];
        int inner(int a) { return a + n; }
        vla[2][3] = inner(4);
        CHECK(sizeof vla == 48 && vla[2][3] == 7);
    }
    CHECK(({ int y = 4; y * 2; }) == 8 && (i ?: 3) == 4);
    union mixed m = {.f = 1.0f};
    CHECK_EQUAL(m.i, 0x3f800000);
    int result;
    __asm__ volatile("movl %1, %0\n\taddl $1, %0" : "=r"(result) : "r"(41) : "cc");
    CHECK_EQUAL(result, 42);
    __extension__ __int128 wide = (__int128)big * 4;
    CHECK((long long)(wide >> 2) == big);
    char *stack = alloca(10);
    stack[9] = 1;
    CHECK_EQUAL(stack[9], 1);
    if (MYTHREAD == 0)
        x = sum(2, 20, 22);
    upc_barrier;
    CHECK_EQUAL(x, 42);
    printf("%" PRId64 "%s", (int64_t)0, "\n");
    return finish();
}

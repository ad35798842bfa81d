// threads: 1 2 3 4
// Declarations as programs write them: macros around shared, types within functions, attributes, qualifiers.
#include <upc.h>
#include <stddef.h>
#include "check.h"

#define SHARED(type) shared type
#define BLOCK_SIZE 4
#define ELEMENTS(n) ((n) * THREADS)
#define DECLARE(name, type, size) shared [size] type name[(size) * THREADS]
#define N 3
typedef enum { FIRST, SECOND } choice_t;
typedef unsigned long int u64;
typedef shared [] u64 *u64_pointer;
typedef int (*operation_t)(shared [BLOCK_SIZE] int *, size_t);
typedef struct { u64_pointer data; operation_t run; choice_t choice; } job_t;

SHARED(int) from_macro[ELEMENTS(2)];
DECLARE(declared, double, BLOCK_SIZE);
DECLARE(bytes, unsigned char, 16);
static shared int __attribute__((aligned(64))) aligned[THREADS];
shared int unused_one __attribute__((unused));
extern shared int later[THREADS];
extern shared [2] struct late_type { int a; } late_struct[2 * THREADS];
shared [BLOCK_SIZE] int numbers[BLOCK_SIZE * THREADS];
shared struct { struct { int deep[N][2]; } inner[2]; } nested[THREADS];
shared [sizeof(int) * N / 2] short by_sizeof[6 * THREADS];
shared [FIRST + 2] char by_enum[2 * THREADS];
shared [N] struct s { int v[N]; } structures[N * THREADS];
volatile shared int spinning;
static const struct { int n; const char *name; } constants[] = {{1, "one"}, {2, "two"}};
shared int *const fixed = &spinning;
shared int *restrict restricted;

static int total(shared [BLOCK_SIZE] int *p, size_t n)
{
    int sum = 0;

    while (n--)
        sum += *p++;
    return sum;
}

static int uses_extern(void)
{
    extern shared int later[];
    extern shared int from_macro[];

    return later[MYTHREAD] + from_macro[MYTHREAD];
}

static int recursion(int n)
{
    static shared int depth[THREADS];
    struct local { shared int *p; int n; } local = {&depth[MYTHREAD], n};
    typedef shared int *local_pointer;
    local_pointer q = local.p;

    ++*q;
    return n == 0 ? depth[MYTHREAD] : recursion(local.n - 1);
}

static void arrays(int n, shared int *matrix[n], shared [BLOCK_SIZE] int (*row)[BLOCK_SIZE])
{
    int k;

    for (k = 0; k < n; k++)
        CHECK(matrix[k] == &later[k]);
    CHECK_EQUAL((*row)[1], 2);
}

shared int later[THREADS];
shared [2] struct late_type late_struct[2 * THREADS];

int main(int argc, char *argv[])
{
    int k;
    shared int *pointers[THREADS];
    job_t job = {NULL, total, SECOND}, *same = &job;
    static shared [] struct s *saved = NULL;
    static u64_pointer table[2];

    from_macro[MYTHREAD] = 3;
    later[MYTHREAD] = 4;
    CHECK_EQUAL(uses_extern(), 7);
    CHECK_EQUAL(recursion(4), 5);
    for (k = 0; k < BLOCK_SIZE; k++)
        numbers[BLOCK_SIZE * MYTHREAD + k] = k + 1;
    declared[BLOCK_SIZE * MYTHREAD] = 0.5;
    bytes[16 * MYTHREAD + 15] = 200;
    upc_barrier;
    CHECK_EQUAL(job.run(numbers, BLOCK_SIZE * THREADS), 10 * THREADS);
    CHECK_EQUAL(same->run(&numbers[1], 2), 5);
    CHECK_EQUAL((*same->run)(numbers, 1), 1);
    CHECK_EQUAL(job.choice, 1);
    for (k = 0; k < THREADS; k++)
        pointers[k] = &later[k];
    arrays(THREADS, pointers, (shared [BLOCK_SIZE] int(*)[BLOCK_SIZE])numbers);
    job.data = upc_alloc(3 * sizeof *job.data);
    job.data[2] = 1UL << 40;
    CHECK(same->data[2] == 1UL << 40);
    table[1] = job.data;
    CHECK(table[0] == NULL && table[1][2] >> 40 == 1);
    nested[MYTHREAD].inner[1].deep[2][1] = MYTHREAD;
    CHECK_EQUAL(nested[MYTHREAD].inner[1].deep[2][1]++, MYTHREAD);
    CHECK_EQUAL(nested[MYTHREAD].inner[1].deep[2][1], MYTHREAD + 1);
    CHECK_EQUAL(upc_threadof(&by_sizeof[6]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&by_enum[2]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&structures[N]), 1 % THREADS);
    structures[N * MYTHREAD + 1].v[2] = 9;
    saved = (shared [] struct s *)&structures[N * MYTHREAD];
    CHECK_EQUAL(saved[1].v[2], 9);
    CHECK_EQUAL(upc_threadof(&late_struct[2]), 1 % THREADS);
    CHECK_EQUAL(sizeof(late_struct[0]), sizeof(int));
    CHECK_EQUAL(offsetof(struct s, v[1]), 4);
    CHECK(fixed == &spinning && *fixed == 0 && aligned[MYTHREAD] == 0 && restricted == NULL);
    CHECK(constants[1].name[0] == 't' && argc == 1 && argv[0][0]);
    CHECK(declared[0] == 0.5 && bytes[15] == 200);
    {
        shared int *numbers = later; // hides the array
        int later = 5;               // and this one the other

        CHECK_EQUAL(numbers[0] + later, 9);
        for (int numbers = 0; numbers < 2; numbers++)
            later += numbers;
        CHECK_EQUAL(later, 6);
    }
    CHECK_EQUAL(numbers[0], 1);
    upc_free(job.data);
    return finish();
}

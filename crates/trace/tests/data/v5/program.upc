// Work in functions that are events and in one that is none, and a sort in the C library:
//
//     pgastool compile --upcc embedded --functions auto -O1 program.upc
//     pgastool run -n 2 --sample 500 --compress none -o samples ./a.out
#include <stdlib.h>
#include <upc.h>

static int numbers[300000];
static volatile double sum;

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void work(long steps) {
    double x = 1;
    for (long i = 0; i < steps; i++) x = x * 1.0000001 + 0.5;
    sum += x;
}

static void sort(void) {
    for (int i = 0; i < 300000; i++) numbers[i] = (int)((i + 1L) * 7919 % 1000003);
    qsort(numbers, 300000, sizeof numbers[0], compare);
}

int main(void) {
    work(10000000L * (1 + MYTHREAD));
    upc_barrier;
    sort();
    upc_barrier;
    return 0;
}

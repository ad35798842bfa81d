// threads: 1 2 3 4
// status: 3
// expect: ends
// Transfers that nobody has waited for when the program ends.
#include <stdio.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

#define N 1000000

static shared [N] char data[N * THREADS];
static char values[N], got[N];

int main(void)
{
    const long next = (long)N * ((MYTHREAD + 1) % THREADS);

    upc_barrier;
    upc_memput_nbi(&data[next], values, N);
    upc_handle_t get = upc_memget_nb(got, &data[next], N);
    (void)get;
    if (MYTHREAD == 0)
        printf("ends\n");
    return 3;
}

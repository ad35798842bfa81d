// threads: 1 2 3 4
// expect: OK
// Falling off the end of main gives 0; output without a newline at the end is there.
#include <stdio.h>

shared int x[THREADS];

int main()
{
    x[MYTHREAD] = 17;
    upc_barrier;
    if (MYTHREAD == 0 && x[THREADS - 1] == 17)
        printf("OK");
}

// threads: 1 2 3 4
// expect: 7 -3 2.50 x 1099511627776 0.25 [text] 4 OK
// Shared values as arguments of variadic functions, of library functions, of macros.
#include <upc.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUARE(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
shared int i = 7;
shared short s = -3;
shared float f = 2.5f;
shared char c = 'x';
shared long l = 1L << 40;
shared double d[THREADS];
shared [] char text[8];
shared size_t size;
shared struct {
    double x;
    int n;
} pair = {0.25, 4};

int main(void)
{
    char line[100];

    if (MYTHREAD == 0)
        upc_memput(text, "text", 5);
    d[MYTHREAD] = 2.0;
    upc_barrier;
    snprintf(line, sizeof line, "%d %hd %.2f %c %ld %g [%s] %d", i, s, f, c, l, pair.x, (MYTHREAD == 0 ? (char *)text : ""), pair.n);
    if (sqrt(d[THREADS - 1] * 2) != 2.0 || !isalpha(c) || abs(s) != 3 || SQUARE(i) != 49 || MAX(i, s) != 7 || pow(d[0], 3) != 8)
        return 1;
    if (fmax(d[MYTHREAD], f) != 2.5 || (int)f != 2 || labs(l) != l || toupper(c) != 'X')
        return 2;
    size = strlen(line);
    if (MYTHREAD == 0)
        printf("%s %s\n", line, i == 7 ? "OK" : "no");
    return 0;
}

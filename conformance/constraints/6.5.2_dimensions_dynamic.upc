// threads: dynamic
// THREADS in dimensions and block sizes when the number of threads is dynamic.
enum { N = 8 };
shared int a1[THREADS], a2[N * THREADS], a3[3][THREADS], a4[THREADS * 2][4], a5[(N) * (THREADS)];
shared int a6[2 * 3 * THREADS], a7[sizeof(double) * THREADS];
shared [] int i1[100];
shared [N] int b1[N * 4 * THREADS];
shared [*] int s1[THREADS * N];
shared int x1[100];                     /* error: THREADS does not occur in the dimensions */
shared [4] int x2[N][4];                /* error: THREADS does not occur in the dimensions */
shared int x3[THREADS][THREADS];        /* error: THREADS occurs more than once */
shared int x4[THREADS + 1];             /* error: THREADS is not a factor of this dimension */
shared [] int x5[THREADS];              /* error: an array with layout [] whose length depends on THREADS */
shared [THREADS] int x6[N * THREADS];   /* error: THREADS in a block size while the number of threads is dynamic */
extern shared int x7[];
extern shared int x8[10];               /* error: THREADS does not occur in the dimensions */
int n;
shared int x9[n];                       /* error: the length of a shared array is not an integer constant expression */
int p1[THREADS];                        /* error: THREADS is not a constant */
static int p2[2 * THREADS];             /* error: THREADS is not a constant */
enum { E = THREADS };                   /* error: THREADS is not a constant */
int main(void)
{
    int vla[THREADS];
    static int p3[THREADS];             /* error: THREADS is not a constant */
    char size[sizeof(a1)];
    static char static_size[sizeof(a1)]; /* error: THREADS is not a constant */
    switch (n) {
    case THREADS:                       /* error: THREADS is not a constant */
        return 1;
    }
    return sizeof(vla) + sizeof(size);
}

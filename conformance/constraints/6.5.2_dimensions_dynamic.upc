// threads: dynamic
// THREADS in dimensions and block sizes when the number of threads is dynamic.
enum { N = 8 };
shared int a1[THREADS], a2[N * THREADS], a3[3][THREADS], a4[THREADS * 2][4], a5[(N) * (THREADS)];
shared int y1[THREADS * 100 * 20];      /* error: THREADS is not a factor of this dimension */
shared int y2[2 * THREADS * 3];         /* error: THREADS is not a factor of this dimension */
shared int y3[THREADS * (100 * 20)], y4[(N) * ((THREADS))], y5[(2 * N) * THREADS];
shared int (**q1)[THREADS][THREADS];    /* error: THREADS occurs more than once */
typedef shared int q2[THREADS][THREADS]; /* error: THREADS occurs more than once */
shared [] int (*q3)[THREADS];           /* error: an array with layout [] whose length depends on THREADS */
shared int (*q4)[10 + THREADS];         /* error: THREADS is not a factor of this dimension */
shared int (*q5)[THREADS], (*q6)[10], (*q7)[THREADS * (2 * N)];
typedef shared int row[THREADS];
row (*q8)[THREADS];                     /* error: THREADS occurs more than once */
typedef row matrix[THREADS];            /* error: THREADS occurs more than once */
typedef shared int (*q9)[THREADS][13][THREADS]; /* error: THREADS occurs more than once */
extern shared int q10[][THREADS][THREADS]; /* error: THREADS occurs more than once */
shared int (*q11(void))[THREADS][THREADS]; /* error: THREADS occurs more than once */
void q12(shared int a[THREADS][THREADS]);
void q13(shared int a[2][THREADS][THREADS]); /* error: THREADS occurs more than once */
shared int (*q14[3])[THREADS][THREADS]; /* error: THREADS occurs more than once */
struct pointers { shared int (*p)[THREADS + 1]; }; /* error: THREADS is not a factor of this dimension */
shared void *q15 = (shared int (*)[THREADS][THREADS])0; /* error: THREADS occurs more than once */
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
    int vla[THREADS], vla2[THREADS * 2 * 3];
    static int p3[THREADS];             /* error: THREADS is not a constant */
    char size[sizeof(a1)];
    static char static_size[sizeof(a1)]; /* error: THREADS is not a constant */
    switch (n) {
    case THREADS:                       /* error: THREADS is not a constant */
        return 1;
    }
    return sizeof(vla) + sizeof(size);
}

// threads: dynamic 4
// Layout qualifiers.
int n = 4;
enum { MINUS = -1 };
shared [-3] int x1[THREADS];            /* error: the block size -3 is negative */
shared [MINUS] int *x2;                 /* error: the block size -1 is negative */
shared [0] int *fine;
shared [UPC_MAX_BLOCK_SIZE] int *largest;
shared [3000000000] int *x3;            /* error: is larger than UPC_MAX_BLOCK_SIZE */
shared [n] int *x4;                     /* error: the block size is not an integer constant expression */
shared [*] int *x5;                     /* error: [*] in the type of a pointer */
typedef shared [*] int x6[THREADS];     /* error: [*] in a typedef */
shared [4] void *x7;                    /* error: a layout qualifier on shared void */
shared void *v;
shared [2] shared [3] int x8[THREADS];  /* error: two layout qualifiers on one type */
shared [2][3] int x9[THREADS];          /* error: two layout qualifiers on one type */
typedef shared [4] int s4;
shared [2] s4 x10[THREADS];             /* error: two layout qualifiers on one type */
shared s4 same[4 * THREADS];
const s4 same2[4 * THREADS];
strict relaxed shared int x11;          /* error: strict and relaxed at once */
typedef strict shared int st;
relaxed st x12;                         /* error: strict and relaxed at once */
strict st y12;
strict int x13;                         /* error: strict or relaxed on a type that is not shared */
int *relaxed x14;                       /* error: strict or relaxed on a type that is not shared */
strict shared int *y14;
shared [1.5] int *y1;                   /* error: the block size is not an integer constant expression */
shared ["x"] int *y2;                   /* error: the block size is not an integer constant expression */
shared [sizeof(int)] int *y3;
shared ['a'] int *y4;
shared [(unsigned char)300] int *y5;
shared [N_IS_4] int *y6;                /* error: 'N_IS_4' is not declared */
shared [*] char y0[(UPC_MAX_BLOCK_SIZE + 1l) * THREADS]; /* error: more than UPC_MAX_BLOCK_SIZE */
shared [*] char y00[UPC_MAX_BLOCK_SIZE * THREADS];
void f1(shared [*] int *p);             /* error: [*] in the type of a pointer */
void f2(shared [*] int p[]);            /* error: [*] in the type of a pointer */
void f3(shared [2] int p[], shared [] int q[10]);
shared [UPC_MAX_BLOCK_SIZE + 1] int *y7; /* error: is larger than UPC_MAX_BLOCK_SIZE */
shared [] void *y8;                     /* error: a layout qualifier on shared void */
shared shared int y9;
shared [2] shared int y10[2 * THREADS];
shared [2] shared [2] int y11[2 * THREADS]; /* error: two layout qualifiers on one type */
typedef shared int cyclic;
shared [3] cyclic *y16;
strict void f4(void);                   /* error: strict or relaxed on a type that is not shared */
void f5(relaxed int x);                 /* error: strict or relaxed on a type that is not shared */
int * shared strict y15;
int main(void) { return 0; }

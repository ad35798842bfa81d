// threads: dynamic 4
// Conversions between pointers of different layouts, and between shared and private.
#include <stddef.h>
shared int *p1, *q1;
shared [] int *p0;
shared [4] int *p4;
shared [4] int a4[4 * THREADS];
shared void *v;
int *l;
int x;
void take(shared int *p);
void take_private(int *p);
shared [] int *give(void)
{
    return p1;                          /* error: cannot return a pointer-to-shared with block size 1 */
}
struct s { shared int *p; int *l; };
int *lp = &x, la[3];
shared int *ip = &x;                    /* error: cannot initialise a pointer-to-private as a pointer-to-shared */
shared int *ia[2] = { 0, la };          /* error: cannot initialise a pointer-to-private as a pointer-to-shared */
int *il = a4;                           /* error: cannot initialise a pointer-to-shared as a pointer-to-private */
shared double *dp;
double d;
struct s sv;
shared int *result(int n)
{
    static int local[3];
    if (n == 1)
        return &x;                      /* error: cannot return a pointer-to-private as a pointer-to-shared */
    if (n == 2)
        return local;                   /* error: cannot return a pointer-to-private as a pointer-to-shared */
    if (n == 3)
        return a4;                      /* error: cannot return a pointer-to-shared with block size 4 */
    if (n == 4)
        return dp;                      /* warning: a pointer to shared 'double' becomes a pointer to shared 'int' without a cast */
    dp = (shared double *)p1; n = dp == (shared double *)p1;
    n = dp == p1;                       /* warning: pointers-to-shared of different types are compared */
    n = (shared int *)dp - p1;
    n = dp - p1;                        /* warning: subtraction of pointers-to-shared of different types */
    n = (long)p1; n = p1 ? 1 : !p1; p1 = (shared int *)(long)0; sv = (struct s){ p1, lp };
    d = (double)p1;                     /* error: a cast from a pointer-to-shared to 'double' */
    p1 = (shared int *)d;               /* error: a cast from 'double' to a pointer-to-shared */
    p1 = (shared int *)sv;              /* error: a cast from 'struct s' to a pointer-to-shared */
    p1 = n ? p1 : &x;                   /* error: cannot use a pointer-to-private as a pointer-to-shared */
    p1 = n ? 0 : p1;
    p1 = (shared int *)1;               /* error: a cast from an integer to a pointer-to-shared */
    p1 = (shared int *)(long)n;         /* error: a cast from an integer to a pointer-to-shared */
    v = (shared void *)(long)v;         /* error: a cast from an integer to a pointer-to-shared */
    p4 = (shared [4] int *)(n - n);     /* error: a cast from an integer to a pointer-to-shared */
    p1 = (shared int *)0; p4 = (shared [4] int *)NULL; v = (shared void *)(1 - 1);
    return n ? p1 : NULL;
}
shared int of_literal[THREADS];
shared int **literal = (shared int *[]){ of_literal };  /* error: addresses of shared objects in a compound literal outside of a function */
shared int **one_literal = &(shared int *){ of_literal };   /* error: addresses of shared objects in a compound literal outside of a function */
shared int **null_literal = (shared int *[]){ 0, 0 };
int main(void)
{
    struct s s = { &x, 0 };             /* error: cannot initialise a pointer-to-private as a pointer-to-shared */
    struct s t = { NULL, p1 };          /* error: cannot initialise a pointer-to-shared as a pointer-to-private */
    shared int *init = l;               /* error: cannot initialise a pointer-to-private as a pointer-to-shared */
    p1 = q1;
    p1 = p0;                            /* error: cannot assign a pointer-to-shared with block size [] (indefinite) as one with block size 1 */
    p0 = p4;                            /* error: cannot assign a pointer-to-shared with block size 4 */
    p4 = a4;
    p1 = a4;                            /* error: cannot assign a pointer-to-shared with block size 4 */
    p1 = (shared int *)p0;
    p0 = (shared [] int *)&a4[2];
    v = p0; v = p1; v = p4; p1 = v; p4 = v;
    p1 = NULL; p1 = 0; p1 = (void *)0; v = NULL;
    p1 = &x;                            /* error: cannot assign a pointer-to-private as a pointer-to-shared */
    p1 = (shared int *)&x;              /* error: a cast from a pointer-to-private to a pointer-to-shared */
    p1 = (shared int *)l;               /* error: a cast from a pointer-to-private to a pointer-to-shared */
    p1 = 7;                             /* error: cannot assign a number as a pointer-to-shared */
    p1 = undeclared();                  /* error: cannot assign a number as a pointer-to-shared */
    l = p1;                             /* error: cannot assign a pointer-to-shared as a pointer-to-private without a cast */
    l = (int *)p1;
    x = p1;                             /* warning: a pointer-to-shared becomes a number without a cast */
    x = (int)(long)p1;
    take(l);                            /* error: cannot pass a pointer-to-private as a pointer-to-shared */
    take(p0);                           /* error: cannot pass a pointer-to-shared with block size [] */
    take(NULL); take(v); take(p1);
    take_private(p1);                   /* error: cannot pass a pointer-to-shared as a pointer-to-private */
    x = (shared int)3;                  /* error: a cast to a shared type that is no pointer */
    return x ? p1 == 0 : p1 != NULL;
}

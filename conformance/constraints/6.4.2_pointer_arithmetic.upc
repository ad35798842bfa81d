// threads: dynamic 4
// Comparison, subtraction and arithmetic.
#include <stddef.h>
shared int *p1, *q1;
shared [] int *p0, *q0;
shared void *v, *w;
struct incomplete;
shared struct incomplete *i1, *i2;
int *l;
int main(void)
{
    int r = 0;
    r += p1 == q1; r += p1 < q1; r += p1 == NULL; r += v == w; r += v == p1; r += 0 == p1; r += !p1;
    r += p1 == p0;                      /* error: pointers-to-shared with block size 1 and block size [] (indefinite) are compared */
    r += p1 < p0;                       /* error: are compared */
    r += p1 == l;                       /* error: a pointer-to-shared and a pointer-to-private are compared */
    r += l != p1;                       /* error: a pointer-to-shared and a pointer-to-private are compared */
    r += p1 == 5;                       /* error: a pointer-to-shared and a number are compared */
    r += v < w;                         /* error: '<' on pointers to shared void */
    r += i1 >= i2;                      /* error: '>=' on pointers to shared void or to an incomplete type */
    r += p1 - q1;
    r += p1 - p0;                       /* error: subtraction of pointers-to-shared with block size 1 and block size [] */
    r += p1 - l;                        /* error: subtraction of a pointer-to-shared and a pointer-to-private */
    p1 = p1 + q1;                       /* error: two pointers cannot be added */
    v = v + 1;                          /* error: arithmetic on a pointer to shared void */
    v++;                                /* error: arithmetic on a pointer to shared void */
    v += 2;                             /* error: arithmetic on a pointer to shared void */
    i1--;                               /* error: arithmetic on a pointer to shared void or to an incomplete type */
    p1 = p1 + 1.5;                      /* error: arithmetic on a pointer-to-shared needs an integer */
    r += *v;                            /* error: '*' on a pointer to shared void */
    p1 = r ? p1 : NULL;
    p1 = r ? 0 : p1;
    p1 = r ? p1 : p0;                   /* error: are compared */
    return r;
}

// threads: dynamic
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

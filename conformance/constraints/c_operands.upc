// threads: dynamic 4
// Constraints of C on shared operands, and their legal neighbours.
#include <upc.h>
struct pt { int x; const int fixed; struct { int inner; }; int list[3]; };
struct qt { int z; };
typedef struct qt qt_t;
union u { int i; double d; };
shared struct pt s[THREADS], *sp;
shared struct qt q;
shared qt_t q2[THREADS];
shared union u un;
shared int a[10 * THREADS], *p;
shared int m[THREADS][3];
const shared int ci = 3;
shared const int *pc;
shared int *const cp = &a[0];
shared char text[2 * THREADS];
enum e { ONE };
int main(void)
{
    int i = 0;
    double d = 0;
    enum e e = ONE;
    struct qt l = q;
    struct pt one;
    s[0] = s[1]; q = l; l = q2[0]; q2[0] = (struct qt){3}; un.d = 1; un = (union u){1};
    a[e] = a[(char)i] + a['a' - 'a'] + a[(i > 3)]; a[i++] += d; a[i] = ci; i = *pc++; d = a[0];
    s[0].x = s->inner = sp->x = (*sp).x; i = sp[0].list[1] + *s[0].list + s[0].inner; m[0][1] = *m[0]; text[0] = 'c';
    s[0] = q;                           /* error: cannot assign 'struct qt' as 'struct pt' */
    a[i] = s[0];                        /* error: cannot assign 'struct pt' as 'int' */
    l = s[0];                           /* error: cannot assign 'struct pt' as 'struct qt' */
    q = a[i];                           /* error: cannot assign 'int' as 'struct qt' */
    q2[0] = 3;                          /* error: cannot assign 'int' as 'qt_t' */
    ci = 4;                             /* error: this shared object is const and cannot be changed */
    ci++;                               /* error: this shared object is const and cannot be changed */
    --*pc;                              /* error: this shared object is const and cannot be changed */
    *pc += 3;                           /* error: this shared object is const and cannot be changed */
    s[0].fixed = 3;                     /* error: this shared object is const and cannot be changed */
    a = p;                              /* error: an array cannot be assigned to */
    m[0] = m[1];                        /* error: an array cannot be assigned to */
    a[1.5] = 1;                         /* error: the index is 'double', not an integer */
    a[p] = 1;                           /* error: the index is a pointer-to-shared, not an integer */
    a[d] = 1;                           /* error: the index is 'double', not an integer */
    a[s[0]] = 1;                        /* error: the index is 'struct pt', not an integer */
    i = p * 2;                          /* error: '*' on a pointer-to-shared */
    i = p & 7;                          /* error: '&' on a pointer-to-shared */
    i = 3 << p;                         /* error: '<<' on a pointer-to-shared */
    i = -p;                             /* error: '-' on a pointer-to-shared */
    i = ~p;                             /* error: '~' on a pointer-to-shared */
    p *= 2;                             /* error: '*=' on a pointer-to-shared */
    a.x = 4;                            /* error: an array has no members */
    sp.x = 4;                           /* error: '.' on a pointer-to-shared */
    p->x = 3;                           /* error: 'int' has no members */
    s[0]->x = 3;                        /* error: '->' on 'struct pt', which is no pointer */
    s[0].nothing = 3;                   /* error: 'struct pt' has no member named 'nothing' */
    s[0].x.y = 3;                       /* error: 'int' has no members */
    a[i](3);                            /* error: 'int' is called, which is no function */
    a(3);                               /* error: an array is called, which is no function */
    i = p + 1.5;                        /* error: arithmetic on a pointer-to-shared needs an integer */ /* warning: becomes a number */
    return i + (p && !p) + one.x + (cp != 0);
}
struct itself { int a; struct itself inner; };  /* error: a member of 'struct itself', which is incomplete */
struct unknown;
struct holder { struct unknown u; struct unknown *p; struct unknown; };  /* error: a member of 'struct unknown', which is incomplete */

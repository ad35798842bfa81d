// threads: dynamic
// Names that are not declared. A second use in the same function says nothing new.
#include <upc.h>
shared int data[THREADS];
shared struct { int x, y; } s;
int known(void);
int main(void)
{
    int count = 0;
    data[0] = undecl1;                  /* error: 'undecl1' is not declared */
    data[undecl2] = 3;                  /* error: 'undecl2' is not declared */
    undecl2 = data[0];
    dta[0] = 3;                         /* error: 'dta' is not declared */
    count = cuont + 1;                  /* error: 'cuont' is not declared */
    count = MYTHRAED;                   /* error: 'MYTHRAED' is not declared */
    upc_memgett(&count, data, 4);       /* warning: 'upc_memgett' is called and not declared */
    count += sizeof(nothing);           /* error: 'nothing' is not declared */
    count += __LINE__ + (__func__ != 0) + unknown_function(3);
    goto out;
out:
    return count;
}
int other(int n, int a[n]) { undecl2++; return a[n]; }  /* error: 'undecl2' is not declared */
int old(a, b) int b; { int nested(int x) { return x + a; } return nested(b); }

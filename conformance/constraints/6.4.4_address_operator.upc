// threads: dynamic 4
// Addresses of shared objects and of parts of them.
shared struct s { int x, list[4]; unsigned bits : 3; struct { int y; } in; } v, w[THREADS];
shared int a[2 * THREADS], m[THREADS][3];
shared [2] int b[2 * THREADS];
shared struct s *p;
shared int *p1;
shared [] int *p0;
shared [2] int *p2;
int *l;
void f(void)
{
    p0 = &v.x; p0 = &w[1].list[2]; p0 = w[1].list; p0 = &p->in.y;
    p1 = &a[3]; p1 = a; p1 = &m[1][2]; p1 = m[0]; p2 = &b[1]; p2 = b; p = &v; p = w;
    p1 = (shared int *)&v.x;
    p1 = &v.x;                          /* error: cannot assign a pointer-to-shared with block size [] (indefinite) as one with block size 1 */
    p1 = w[0].list;                     /* error: cannot assign a pointer-to-shared with block size [] (indefinite) as one with block size 1 */
    p1 = &b[0];                         /* error: cannot assign a pointer-to-shared with block size 2 as one with block size 1 */
    l = &v.x;                           /* error: cannot assign a pointer-to-shared as a pointer-to-private */
    l = &a[0];                          /* error: cannot assign a pointer-to-shared as a pointer-to-private */
    p0 = (shared [] int *)&v.bits;      /* error: the address of a bit field */
    p0 = (shared [] int *)&p->bits;     /* error: the address of a bit field */
}
int main(void) { return 0; }

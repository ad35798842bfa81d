// threads: dynamic
// What cannot be shared: automatic variables, parameters, members, results, functions.
shared int ok;
struct s {
    int a;
    shared int b;                       /* error: a member of a structure or union cannot be shared */
    shared int *fine;
};
union u { shared char c; int i; };      /* error: a member of a structure or union cannot be shared */
shared int f(void);                     /* error: a function cannot return a shared type */
shared int *fine(void);
void g(shared int p);                   /* error: a parameter cannot be shared */
void g2(shared int p[], shared int *q);
typedef int fn(void);
shared fn h;                            /* error: a function type cannot be shared */
int main(void)
{
    shared int a;                       /* error: an automatic variable cannot be shared */
    static shared int b;
    extern shared int ok;
    typedef shared int sint;
    sint c;                             /* error: an automatic variable cannot be shared */
    for (shared int i = 0; ;) break;    /* error: an automatic variable cannot be shared */
    return b;
}

// threads: dynamic 4
// Declarations of one thing agree in layout.
shared [2] int a[2 * THREADS];
extern shared [2] int a[2 * THREADS];
extern shared int a[2 * THREADS];       /* error: 'a' is declared with another layout than before */
void f(shared int *p);
void f(shared int *q);
void f(shared [] int *p);               /* error: 'f' is declared with another layout than before */
shared int *g(void);
int *g(void);                           /* error: 'g' is declared with another layout than before */
extern int x;
extern shared int x;                    /* error: 'x' is declared with another layout than before */
void h();
void h(shared int *p) { }
extern shared int *pointer;
shared [] int *pointer;                 /* error: 'pointer' is declared with another layout than before */
shared int scalar;
extern shared double scalar;            /* error: 'scalar' is declared with another type than before */
shared int array[THREADS], open[2 * THREADS], tentative;
extern shared int array[2 * THREADS];   /* error: 'array' is declared with another type than before */
extern shared int open[];
extern shared unsigned tentative;
shared int tentative;
extern shared int later[];
shared int later[3 * THREADS];
shared struct one { int a; } structure;
extern shared struct two { int a; } structure;  /* error: 'structure' is declared with another type than before */
strict shared int reference;
extern relaxed shared int reference;    /* error: 'reference' is declared with another reference type than before */
extern shared int reference;
static shared int internal;
extern shared int internal;
static shared int internal;
shared int internal;                    /* error: 'internal' is declared without static after a declaration with it */
extern shared int external;
static shared int external;             /* error: 'external' is declared static after a declaration without it */
shared int twice = 1;
shared int twice = 2;                   /* error: 'twice' is initialised twice */
shared int once;
shared int once = 3;
extern shared int once;
void k(a, b) int a; shared int b;       /* error: a parameter cannot be shared */
{ }
void block(void)
{
    extern shared int once, elsewhere;
    extern shared int value = 3;        /* error: 'value' is extern in a block and has an initialiser */
    int once_more = once;
    { int once = 3; static shared int internal = 4; once_more += once + internal; }
}
int main(void) { return 0; }

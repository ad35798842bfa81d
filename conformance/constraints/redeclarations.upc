// threads: dynamic
// Declarations of one thing agree in layout.
shared [2] int a[2 * THREADS];
extern shared [2] int a[2 * THREADS];
extern shared int a[2 * THREADS];       /* error: 'a' is declared with another layout than in */
void f(shared int *p);
void f(shared int *q);
void f(shared [] int *p);               /* error: 'f' is declared with another layout than in */
shared int *g(void);
int *g(void);                           /* error: 'g' is declared with another layout than in */
extern int x;
extern shared int x;                    /* error: 'x' is declared with another layout than in */
void h();
void h(shared int *p) { }
int main(void) { return 0; }

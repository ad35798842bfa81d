// threads: dynamic
// Independent errors are all found, and none brings forth another.
#include <upc.h>
shared int a[10*THREADS];
dobule x;                               /* error: unknown type name 'dobule' */
static foo_t *y;                        /* error: unknown type name 'foo_t' */
void f(int a, bar b, baz *c);           /* error: unknown type name 'bar' */ /* error: unknown type name 'baz' */
struct s { int a; qux b; int c; };      /* error: unknown type name 'qux' */
shared int q[THREADS]                   /* error: expected ';' after the declaration, found keyword 'int' */
int g(void)
{
    int i = 0                           /* error: expected ';' after the declaration, found 'i' */
    i = 3;
    upc_forall (i = 0; i < 10; i++) { i = 1; }  /* error: expected ';' after the third part of 'upc_forall' */
    for (i = 0 i < 10; i++) {           /* error: expected ';' after the first part of the loop, found 'i' */
        i = 1 +;                        /* error: expected an expression, found ';' */
    }
    if (i {                             /* error: expected ')' after the condition of 'if', found '{' */
        i = 3                           /* error: expected ';' after the expression */
    }
    else
        i = 4;
    foo *z;                             /* error: unknown type name 'foo' */
    if (i)
        i = );                          /* error: expected an expression, found ')' */
    else
        i = 5;
    while (i < 3;) i++;                 /* error: expected ')' after the condition of 'while' */
    i = g(;                             /* error: expected an expression, found ';' */
    i = a[1;                            /* error: expected ']' after the index */
    return (1;                          /* error: expected ')' to close '(', found ';' */
}
int h(void)
{
    int i, b[] = {1, 2 3};              /* error: expected '}' or ',' after an initialiser, found '3' */
    i = 3 4;                            /* error: expected ';' after the expression, found '4' */
    i = sizeof(struct s;                /* error: expected ')' after the type in parentheses, found ';' */
    do i = 3; until (i);                /* error: expected 'while' after the body of 'do' */
    switch (i) {
    case: i = 2;                        /* error: expected an expression, found ':' */
    case 1 i = 3;                       /* error: expected ':' after 'case' */
    }
    else i = 3;                         /* error: this 'else' has no 'if' */
    x = = 3;                            /* error: expected an expression, found '=' */
    int 5x;                             /* error: expected a name in the declaration, found '5x' */
}
int * = 3;                              /* error: expected a name in the declaration, found '=' */
int main(void) { return 0; }

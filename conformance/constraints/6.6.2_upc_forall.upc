// threads: dynamic 4
// Affinity, ways out of upc_forall, values of barriers, locks.
#include <upc.h>
shared double d[THREADS];
double private_d;
upc_lock_t lock;                        /* error: an object of type upc_lock_t */
upc_lock_t *fine;
struct s { upc_lock_t l; };             /* error: upc_lock_t */
shared struct t { int a; } structure;
shared int counter, array[THREADS];
shared void *anywhere;
void nothing(void);
int number(void);
void affinities(int i, shared [] int *p)
{
    upc_forall (; i < 3; i++; counter) ;
    upc_forall (; i < 3; i++; array) ;
    upc_forall (; i < 3; i++; p + i) ;
    upc_forall (; i < 3; i++; anywhere) ;
    upc_forall (; i < 3; i++; number()) ;
    upc_forall (; i < 3; i++; 'c') ;
    upc_forall (;;) ;                           /* error: expected ';' after the third part of 'upc_forall' */
    upc_forall (; i < 3; i++; structure) ;      /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (; i < 3; i++; "text") ;         /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (; i < 3; i++; number) ;         /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (; i < 3; i++; nothing()) ;      /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (; i < 3; i++; (float)i) ;       /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (; i < 3; i++; i)
        upc_forall (; i < 3; i++; i) { for (;;) { break; } }
    upc_forall (; i < 3; i++; i) {
        upc_forall (; i < 3; i++; continue)
            break;                              /* warning: 'break' out of a upc_forall */
        for (;;)
            return;                             /* warning: 'return' out of a upc_forall */
    }
    for (;;) { upc_forall (; i < 3; i++; i) ; break; }
}
int main(void)
{
    int i;
    upc_forall (i = 0; i < 10; i++; i) ;
    upc_forall (i = 0; i < 10; i++; &d[i]) ;
    upc_forall (i = 0; i < 10; i++; continue) ;
    upc_forall (i = 0; i < 10; i++; ) ;
    upc_forall (i = 0; i < 10; i++; 1.5) ;              /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (i = 0; i < 10; i++; &private_d) ;       /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (i = 0; i < 10; i++; d[i]) ;             /* error: the affinity is neither an integer nor a pointer-to-shared */
    upc_forall (i = 0; i < 10; i++; i) {
        while (1) break;
        switch (i) { case 1: break; }
        goto inside;
    inside:
        if (i == 3)
            break;                      /* warning: 'break' out of a upc_forall */
        if (i == 4)
            goto out;                   /* warning: 'goto' out of a upc_forall */
        if (i == 5)
            return 1;                   /* warning: 'return' out of a upc_forall */
    }
out:
    upc_barrier fine;                   /* error: the value of upc_barrier must be a number, and this is a pointer */
    return 0;
}

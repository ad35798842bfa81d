// threads: dynamic
// Affinity, ways out of upc_forall, values of barriers, locks.
#include <upc.h>
shared double d[THREADS];
double private_d;
upc_lock_t lock;                        /* error: an object of type upc_lock_t */
upc_lock_t *fine;
struct s { upc_lock_t l; };             /* error: upc_lock_t */
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
    upc_barrier fine;                   /* error: the value of upc_barrier must be an integer */
    return 0;
}

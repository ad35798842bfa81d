// threads: dynamic 4
// MYTHREAD and THREADS are values, and MYTHREAD is no constant.
int fine[4];
int a[MYTHREAD];                        /* error: MYTHREAD is not a constant */
static int s[2 * MYTHREAD];             /* error: MYTHREAD is not a constant */
enum { A = MYTHREAD };                  /* error: MYTHREAD is not a constant */
struct bits { unsigned b : MYTHREAD; }; /* error: MYTHREAD is not a constant */
shared [MYTHREAD] int *p;               /* error: the block size is not an integer constant expression */
int f(int n)
{
    int copy = MYTHREAD, vla[MYTHREAD + 1], *q = &copy;
    int threads = THREADS;
    switch (n) {
    case MYTHREAD:                      /* error: MYTHREAD is not a constant */
        return 1;
    case sizeof(MYTHREAD):
        return 2;
    }
    MYTHREAD = 3;                       /* error: MYTHREAD is a value and no object: it cannot be changed */
    MYTHREAD++;                         /* error: MYTHREAD is a value and no object: it cannot be changed */
    --MYTHREAD;                         /* error: MYTHREAD is a value and no object: it cannot be changed */
    MYTHREAD += 1;                      /* error: MYTHREAD is a value and no object: it cannot be changed */
    (MYTHREAD) = 1;                     /* error: MYTHREAD is a value and no object: it cannot be changed */
    q = &MYTHREAD;                      /* error: MYTHREAD is a value and no object: its address cannot be taken */
    q = &(MYTHREAD);                    /* error: MYTHREAD is a value and no object: its address cannot be taken */
#ifndef THREADS
    THREADS = 3;                        /* dynamic error: THREADS is a value and no object: it cannot be changed */
    THREADS--;                          /* dynamic error: THREADS is a value and no object: it cannot be changed */
    q = &THREADS;                       /* dynamic error: THREADS is a value and no object: its address cannot be taken */
#endif
    return *q + vla[0] + threads + (MYTHREAD ? -MYTHREAD : ~THREADS);
}
int main(void) { return 0; }

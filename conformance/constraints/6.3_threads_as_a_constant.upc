// threads: dynamic 4
// Where C needs a constant, THREADS and the size of a shared array are one only if the number of threads is static.
shared int a[THREADS], one;
shared [4] int blocked[4 * THREADS];
shared [] int here[10];
typedef shared int line[THREADS];
int in_static = THREADS;                /* dynamic error: THREADS is not a constant */
int p1[THREADS];                        /* dynamic error: THREADS is not a constant */
static int p2[2 * THREADS];             /* dynamic error: THREADS is not a constant */
struct s { int member[THREADS]; };      /* dynamic error: THREADS is not a constant */
struct t { unsigned bits : THREADS; };  /* dynamic error: THREADS is not a constant */
enum { E = THREADS };                   /* dynamic error: THREADS is not a constant */
typedef int q1[THREADS];                /* dynamic error: THREADS is not a constant */
char c1[sizeof(a)];                     /* dynamic error: THREADS is not a constant */
char c2[sizeof a + 1];                  /* dynamic error: THREADS is not a constant */
char c3[sizeof(line)];                  /* dynamic error: THREADS is not a constant */
enum { F = sizeof(a) };                 /* dynamic error: THREADS is not a constant */
struct u { int bits : sizeof(a); };     /* dynamic error: THREADS is not a constant */
_Static_assert(sizeof(a) > 0, "size");  /* dynamic error: THREADS is not a constant */
_Static_assert(THREADS > 0, "threads"); /* dynamic error: THREADS is not a constant */
char fine1[sizeof(one)], fine2[sizeof(here)], fine3[sizeof(a[0])];
_Static_assert(sizeof(one) == 4 && sizeof(here) == 40, "not from THREADS");
int f(int n, int parameter[THREADS])
{
    int vla[THREADS];
    char size[sizeof(a)];
    static int block_static[THREADS];   /* dynamic error: THREADS is not a constant */
    switch (n) {
    case THREADS:                       /* dynamic error: THREADS is not a constant */
        return 1;
    case sizeof(blocked):               /* dynamic error: THREADS is not a constant */
        return 2;
    case sizeof(one):
        return 3;
    }
    return sizeof(vla) + sizeof(size) + parameter[0];
}
int main(void) { return 0; }

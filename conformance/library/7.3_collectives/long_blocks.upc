// threads: 1 2 3 4 5
// Broadcasts, gather_all and exchange of blocks of many lengths, from each thread, under each kind of synchronisation, and
// several broadcasts in a row without any.
#include <upc.h>
#include <upc_collective.h>
#include <string.h>
#include "check.h"

#define LONGEST (1 << 20)
#define ROW (5 * 9000)
#define IN_A_ROW 8

shared [LONGEST] unsigned char from[LONGEST * THREADS], to[LONGEST * THREADS];
shared [ROW] unsigned char rows[ROW * THREADS], row_of_all[ROW * THREADS];

static const int synchronisations[] = {
    UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_NOSYNC | UPC_OUT_NOSYNC, UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
    UPC_IN_NOSYNC | UPC_OUT_ALLSYNC, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC,
};
#define SYNCHRONISATIONS 5

/* Byte `i` of thread `t`, different in each test. */
static int test;
static unsigned char byte(int t, int i) { return (unsigned char)(i * 31 + (i >> 8) + t * 7 + test * 3); }

/* Bytes of `mine` up to `n` that are not those of thread `t` from `begin` on. */
static int wrong(const unsigned char *mine, int n, int t, int begin)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += mine[i] != byte(t, begin + i);
    return count;
}

static void broadcasts(int n, int root, int flags)
{
    unsigned char *mine = (unsigned char *)&to[LONGEST * MYTHREAD], *ours = (unsigned char *)&from[LONGEST * MYTHREAD];
    int times = n * IN_A_ROW <= LONGEST ? IN_A_ROW : 1;
    test++;
    memset(mine, 0, LONGEST);
    if (MYTHREAD == root)
        for (int i = 0; i < n; i++)
            ours[i] = byte(root, i);
    upc_barrier;
    for (int k = 0; k < times; k++)
        upc_all_broadcast(&to[k * n], &from[LONGEST * root], n, flags);
    upc_barrier;
    for (int k = 0; k < times; k++)
        CHECK_EQUAL(wrong(mine + k * n, n, root, 0), 0);
    if (times * n < LONGEST)
        CHECK_EQUAL(mine[times * n], 0);
}

static void all_to_all(int n, int flags)
{
    unsigned char *mine = (unsigned char *)&row_of_all[ROW * MYTHREAD], *ours = (unsigned char *)&rows[ROW * MYTHREAD];
    test++;
    for (int i = 0; i < n * THREADS; i++)
        ours[i] = byte(MYTHREAD, i);
    upc_barrier;
    upc_all_gather_all(row_of_all, rows, n, flags);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQUAL(wrong(mine + t * n, n, t, 0), 0);
    upc_barrier;
    upc_all_exchange(row_of_all, rows, n, flags);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQUAL(wrong(mine + t * n, n, t, MYTHREAD * n), 0);
}

int main(void)
{
    static const int lengths[] = {1, 64, 65, 8000, 9000, 131072, 131073, 400000, LONGEST};
    for (int s = 0; s < SYNCHRONISATIONS; s++)
        for (int k = 0; k < (int)(sizeof lengths / sizeof *lengths); k++) {
            for (int root = 0; root < THREADS; root += THREADS > 2 ? THREADS - 1 : 1)
                broadcasts(lengths[k], root, synchronisations[s]);
            if (lengths[k] * THREADS <= ROW)
                all_to_all(lengths[k], synchronisations[s]);
        }
    return finish();
}

/* Bodies that attract each other, in shared memory. */
#include <upc_relaxed.h>

#define PER_THREAD 400

typedef struct {
    double x, y, z;
} vector;

extern shared [PER_THREAD] vector place[PER_THREAD * THREADS], speed[PER_THREAD * THREADS];
extern shared [PER_THREAD] double mass[PER_THREAD * THREADS];

vector attraction(long i, long n);

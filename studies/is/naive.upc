/*
 * The integer sort of the NAS Parallel Benchmarks as one writes it first: this is npb-fixtures/is/is.c in one piece. Buffers are
 * allocated in each ranking, and each bucket is fetched by itself.
 *
 *     pgastool compile -O2 -DCLASS=S -o is naive.upc              any number of threads, static or dynamic
 */
#include "../../npb-fixtures/is/is.c"
#include "../../npb-fixtures/is/randdp.c"

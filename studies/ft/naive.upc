/*
 * The Fourier transform of the NAS Parallel Benchmarks as one writes it first: this is npb-fixtures/ft/ft.c. A barrier follows
 * every phase, whether it is needed or not, and each direction is a pass of its own over all of the memory.
 *
 *     pgastool compile -O2 -DCLASS=S -o ft naive.upc -lm          any number of threads, static or dynamic
 */
#include "../../npb-fixtures/ft/ft.c"

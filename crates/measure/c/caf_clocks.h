/* Coarray Fortran: comparison of the nodes' clocks. */
#ifndef PGAS_CAF_CLOCKS_H
#define PGAS_CAF_CLOCKS_H

#include "pgas_measure.h"

/* All images call these at about the same time: when the program begins, and when it ends. */
extern void pgas_caf_compare_clocks(pgas_recorder *, int round);
extern void pgas_caf_compare_clocks_again(pgas_recorder *);

#endif

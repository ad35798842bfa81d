/* The recorder of the calls of communication libraries, which the wrappers of all models share: a
 * call of one library that another library makes is not the program's. */
#ifndef PGAS_CALL_RECORDER_H
#define PGAS_CALL_RECORDER_H

#include "pgas_measure.h"

/* The recorder of the thread that began the recording. Null in other threads, and while a library
 * is at work. Defined by the model that the program is compiled for. */
extern __thread pgas_recorder *pgas_call_recorder;

/* Number of this thread of the experiment, and of all; 0 threads before the recording begins. */
extern int pgas_call_thread, pgas_call_threads;

/* Learns which process of MPI is which thread. Called by all threads once both are there: the
 * recording and MPI. Not there in programs without wrappers of MPI. */
extern void pgas_mpi_learn_threads(void) __attribute__((weak));

#endif

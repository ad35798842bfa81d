/* Begin and end of a program of MPI, however it calls MPI. */
#ifndef PGAS_MPI_PROGRAM_H
#define PGAS_MPI_PROGRAM_H

#include "mpi_wrapper.h"

/* After MPI_Init. */
extern void pgas_mpi_begin_program(void);
/* Around MPI_Finalize: before it, and after it where it was a region. */
extern void pgas_mpi_enter_finalize(struct pgas_mpi_call *);
extern void pgas_mpi_exit_finalize(struct pgas_mpi_call *);
/* Before MPI_Abort. */
extern void pgas_mpi_end_alone(struct pgas_mpi_call *, int status);
/* MPI_Pcontrol. */
extern void pgas_mpi_control(int level);

#endif

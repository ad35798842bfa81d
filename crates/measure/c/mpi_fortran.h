/* MPI from Fortran: arguments are references, handles are numbers, and a status comes last.
 *
 * Fortran's functions are MPI's own and do not call those of C by the names that programs use; they
 * have second names, too. */
#ifndef PGAS_MPI_FORTRAN_H
#define PGAS_MPI_FORTRAN_H

#include "mpi_program.h"
#include "mpi_table.h"

/* What the table takes for an array of int. */
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran's integers are those of C");

#define STATUS_WORDS ((sizeof(MPI_Status) + sizeof(MPI_Fint) - 1) / sizeof(MPI_Fint))
#define TYPE_AT(types, at) PMPI_Type_f2c((types)[at])

/* MPI_IN_PLACE is a variable in Fortran: Open MPI's, MPICH's. */
extern MPI_Fint mpi_fortran_in_place_ __attribute__((weak));
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak));

static inline void *plain_buffer(void *buffer) {
  int is_in_place = (&mpi_fortran_in_place_ && buffer == &mpi_fortran_in_place_) ||
                    (&MPIR_F_MPI_IN_PLACE && buffer == MPIR_F_MPI_IN_PLACE);
  return is_in_place ? MPI_IN_PLACE : buffer;
}

/* MPICH's mpi_f08 has variables of its own, which some of its headers declare. */
extern MPI_Fint f08_in_place __asm__("MPIR_F08_MPI_IN_PLACE") __attribute__((weak));
extern MPI_Fint f08_status_ignore __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__((weak));

/* A descriptor of an array, gfortran's or the standard's, begins with the address of the first
 * element. */
static inline void *described_buffer(void *descriptor) {
  void *first = *(void **)descriptor;
  int is_in_place = &f08_in_place && first == (void *)&f08_in_place;
  return is_in_place ? MPI_IN_PLACE : first;
}

static inline int is_ignored(const void *status) {
  return (const MPI_Fint *)status == MPI_F_STATUS_IGNORE ||
         (&f08_status_ignore && status == &f08_status_ignore);
}

/* ---- Begin and end of the program ---- */

/* The error is optional with mpi_f08. */
static inline int has_succeeded(const MPI_Fint *error) { return !error || *error == MPI_SUCCESS; }

#define FORTRAN(function, symbol, real, parameters)          \
  extern void real_##function parameters __asm__(real);      \
  extern void wrapper_##function parameters __asm__(symbol); \
  void wrapper_##function parameters

#define FORTRAN_MPI_Init(function, symbol, real)        \
  FORTRAN(function, symbol, real, (MPI_Fint * error)) { \
    real_##function(error);                             \
    if (has_succeeded(error)) pgas_mpi_begin_program(); \
  }

#define FORTRAN_MPI_Init_thread(function, symbol, real)                                           \
  FORTRAN(function, symbol, real, (MPI_Fint * required, MPI_Fint * provided, MPI_Fint * error)) { \
    real_##function(required, provided, error);                                                   \
    if (has_succeeded(error)) pgas_mpi_begin_program();                                           \
  }

#define FORTRAN_MPI_Finalize(function, symbol, real)      \
  FORTRAN(function, symbol, real, (MPI_Fint * error)) {   \
    struct pgas_mpi_call call = NEW_CALL("MPI_Finalize"); \
    pgas_mpi_enter_finalize(&call);                       \
    real_##function(error);                               \
    pgas_mpi_exit_finalize(&call);                        \
  }

#define FORTRAN_MPI_Abort(function, symbol, real)                                           \
  FORTRAN(function, symbol, real, (MPI_Fint * comm, MPI_Fint * status, MPI_Fint * error)) { \
    struct pgas_mpi_call call = NEW_CALL("MPI_Abort");                                      \
    if (begin_call(&call)) pgas_mpi_end_alone(&call, *status);                              \
    real_##function(comm, status, error);                                                   \
  }

#define FORTRAN_MPI_Pcontrol(function, symbol, real)    \
  FORTRAN(function, symbol, real, (MPI_Fint * level)) { \
    pgas_mpi_control(*level);                           \
    real_##function(level);                             \
  }

#endif

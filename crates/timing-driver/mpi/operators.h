/* Types of numbers and operators as MPI names them. */
#ifndef PGAS_TIMING_OPERATORS_H
#define PGAS_TIMING_OPERATORS_H

#include <mpi.h>

#include "numbers.h"
#include "pgas_operation.h"

MPI_Datatype pgas_mpi_number(enum number_type type);
MPI_Op pgas_mpi_operator(enum operator_kind op);

/* Numbers of a type in a message of the case's size; -1 after a complaint where they do not fill it
   or the type has no such operator. */
int pgas_numbers_in(const pgas_case *with, enum number_type type, enum operator_kind op);

#endif

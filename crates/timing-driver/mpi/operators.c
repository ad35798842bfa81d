/* Types and operators of MPI for the arguments `type` and `op`. */
#include "operators.h"

#include <limits.h>

MPI_Datatype pgas_mpi_number(enum number_type type) {
  const MPI_Datatype types[] = {
      MPI_DOUBLE,         MPI_FLOAT,         MPI_LONG_DOUBLE,       MPI_INT,           MPI_LONG,
      MPI_SHORT,          MPI_SIGNED_CHAR,   MPI_LONG_LONG,         MPI_UNSIGNED_LONG, MPI_UNSIGNED,
      MPI_UNSIGNED_SHORT, MPI_UNSIGNED_CHAR, MPI_UNSIGNED_LONG_LONG};
  return types[type];
}

MPI_Op pgas_mpi_operator(enum operator_kind op) {
  const MPI_Op operators[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,    MPI_LOR,
                              MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_REPLACE,
#if MPI_VERSION >= 3
                              MPI_NO_OP
#endif
  };
  return operators[op];
}

int pgas_numbers_in(const pgas_case *with, enum number_type type, enum operator_kind op) {
  size_t size = number_size(type);
  if (!number_has(type, op)) {
    pgas_complain(with, "floating-point numbers have no op=%s",
                  pgas_argument_text(with, "op", "sum"));
    return -1;
  }
  if (with->bytes % size || with->bytes / size > INT_MAX) {
    pgas_complain(with, "a size of %zu bytes is no number of values of %zu bytes each", with->bytes,
                  size);
    return -1;
  }
  return (int)(with->bytes / size);
}

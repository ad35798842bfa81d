//! The program that times operations: the method behind a C interface (`include/pgas_timing.h`),
//! linked with a driver for one programming model (`upc/`, `mpi/`, `openshmem/`).

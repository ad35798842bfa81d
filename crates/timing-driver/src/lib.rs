//! The program that times operations: the method behind a C interface (`include/pgas_timing.h`),
//! linked with a driver for one programming model (`upc/`, `mpi/`, `openshmem/`).
//!
//! The driver calls [`pgas_time`](program::pgas_time) on all threads. Thread 0 reads the job and
//! sends it to the others in messages; then all go through its cases together, and thread 0 writes
//! records. Threads may be pthreads of one process, so nothing here is static and mutable.

pub mod sources;

mod agreement;
mod arguments;
mod case;
mod clock;
mod identity;
mod interface;
mod job;
mod list;
mod messages;
mod operation;
mod output;
mod processes;
mod program;
mod repeats;
mod threads;

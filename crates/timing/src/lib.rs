//! Times operations of parallel programs with synchronised starts.
//!
//! Source of the method: M. Kurnosov, "MPIPerf: a package for estimating the efficiency of MPI
//! communication functions", 2012. Nothing here knows how threads exchange messages
//! ([`processes::Processes`]) or which operation they perform ([`operation::Operation`]).

pub mod job;
pub mod operation;
pub mod processes;
pub mod record;

//! Times operations of parallel programs with synchronised starts.
//!
//! Source of the method: M. Kurnosov, "MPIPerf: a package for estimating the efficiency of MPI
//! communication functions", 2012. Nothing here knows how threads exchange messages
//! ([`processes::Processes`]) or which operation they perform ([`operation::Operation`]).

mod collectives;
mod compare;
mod computation;
pub mod job;
pub mod operation;
mod patterns;
pub mod processes;
mod reading;
pub mod record;
pub mod session;
#[cfg(feature = "simulation")]
pub mod simulation;
mod ticks;

pub use reading::Reading;

//! A model of the CPU time that instrumentation and recording took of a program, by which the
//! analysis, the score and the comparison of runs name the same figure for the same experiment.
//!
//! It has two parts. [`Recorder`] has the costs that a thread's recorder measured, and prices the
//! calls of that thread. [`Total`] adds threads up and concludes: an estimate with its interval,
//! or, where a plain build was run, the difference of CPU times, of which the estimate says where
//! it went.

mod recorder;
mod total;

pub use recorder::{Calls, Kind, OfThread, Recorder, recorders};
pub use total::{CALLS_MODEL, Cost, FIXED_MODEL, PlainRuns, Total};

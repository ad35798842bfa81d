//! The event model, the native trace format (writer, reader, definitions) and the experiment directory.
//!
//! A measured program leaves one experiment directory ([`experiment`]) with a stream of events per thread. A stream is
//! a file of independent blocks ([`v1`], described byte by byte in `docs/trace-format.md`). Analyses read it through
//! [`reader::Experiment`]; the recorder writes it with [`v1::encode`] and [`writer::BlockSealer`]; tests and synthetic
//! traces use [`builder::ExperimentBuilder`].

pub mod builder;
pub mod clock;
pub mod error;
pub mod experiment;
mod localtime;
pub mod model;
mod operation;
pub mod reader;
pub mod v1;
pub mod writer;

pub use builder::ExperimentBuilder;
pub use clock::{CalibrationPair, Clock, ClockKind};
pub use error::Error;
pub use experiment::{Metadata, State};
pub use reader::{BlockInfo, Experiment, Stream};

//! The event model, the native trace format (writer, reader, definitions) and the experiment directory.
//!
//! A measured program leaves one experiment directory ([`experiment`]) with a stream of events per thread. A stream is
//! a file of independent blocks ([`mod@format`], described byte by byte in `docs/trace-format.md`). Analyses read it through
//! [`reader::Experiment`]; the recorder writes it with [`format::encode`] and [`writer::BlockSealer`]; tests and synthetic
//! traces use [`builder::ExperimentBuilder`].

mod address;
pub mod buffers;
pub mod builder;
pub mod clock;
pub mod clocks;
mod core_use;
pub mod correction;
pub mod error;
pub mod experiment;
pub mod format;
pub mod functions;
pub mod interruption;
mod localtime;
pub mod model;
pub mod node_file;
mod numbered;
mod operation;
pub mod reader;
pub mod samples;
pub mod series;
pub mod writer;

pub use builder::ExperimentBuilder;
pub use clock::{CalibrationPair, Clock, ClockKind};
pub use clocks::Clocks;
pub use core_use::CoreUse;
pub use correction::Correction;
pub use error::Error;
pub use experiment::{Baseline, Metadata, State};
pub use interruption::Interruption;
pub use numbered::Numbered;
pub use reader::{BlockInfo, Experiment, Stream};
pub use series::Series;

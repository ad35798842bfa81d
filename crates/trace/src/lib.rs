//! Experiments: the reader of traces, the experiment directory, the clocks of its nodes, and
//! writers for tests, synthetic traces and converters.
//!
//! A measured program leaves one experiment directory ([`experiment`]) with a stream of events per
//! thread. A stream is a file of independent blocks ([`mod@format`], described byte by byte in
//! `docs/trace-format.md`). Analyses read it through [`reader::Experiment`]; tests and synthetic
//! traces are made with [`builder::ExperimentBuilder`].
//!
//! The event model and the format, which the recorder needs as well, are the crate
//! `pgas-trace-format`, re-exported here.

pub mod builder;
pub mod clock;
pub mod clocks;
pub mod directory;
pub mod experiment;
pub mod interruption;
pub mod messages;
pub mod metadata;
pub mod models;
pub mod node_file;
mod numbered;
pub mod places;
pub mod reader;
pub mod series;
pub mod writer;

pub use pgas_trace_format as format;
pub use pgas_trace_format::{
    buffers, error, functions, model, names, properties, samples, stack_samples,
};

pub use builder::ExperimentBuilder;
pub use clock::{CalibrationPair, Clock, ClockKind};
pub use clocks::Clocks;
pub use error::Error;
pub use format::CoreUse;
pub use interruption::Interruption;
pub use metadata::{Baseline, Metadata, State};
pub use numbered::Numbered;
pub use pgas_clocks::Correction;
pub use reader::{BlockInfo, Experiment, Stream};
pub use series::Series;

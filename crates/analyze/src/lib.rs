//! Searches a trace for wait states, profiles it, and ranks findings.
//!
//! [`analyze`] takes an experiment and returns severities (metric x call path x thread) and conclusions. Below it,
//! [`search::search`] reads any [`pgas_earl::EventSource`]s side by side and applies the [`patterns`] to each
//! compound event as soon as it is complete: time grows linearly with events, memory with threads and call paths.

pub mod accesses;
pub mod account;
mod analysis;
pub mod causality;
pub mod claims;
pub mod class;
mod clock;
mod clocks;
mod completion;
mod cores;
pub mod coverage;
pub mod critical;
mod disagreement;
mod efficiency;
pub mod ends;
mod error;
mod experiment;
mod findings;
pub mod judge;
pub mod ledger;
mod metrics;
mod overhead;
pub mod paths;
pub mod patterns;
pub mod phases;
pub mod reading;
mod recorded;
mod relay;
mod remarks;
pub mod replay;
mod result;
mod root_causes;
mod schedule;
pub mod search;
mod seconds;
pub mod shared;
pub mod single_accesses;
mod spread;
mod streams;
pub mod sums;
pub mod surroundings;
mod thread_profile;
mod words;

pub use analysis::{conclude, Analysis};
pub use error::Error;
pub use experiment::{analyze, analyze_shared};
pub use metrics::metrics;
pub use recorded::EventCost;
pub use result::Description;

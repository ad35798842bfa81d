//! Searches a trace for wait states, profiles it, and ranks findings.
//!
//! [`analyze`] takes an experiment and returns severities (metric x call path x thread) and conclusions. Below it,
//! [`search::search`] reads any [`pgas_earl::EventSource`]s side by side and applies the [`patterns`] to each
//! compound event as soon as it is complete: time grows linearly with events, memory with threads and call paths.

pub mod account;
mod analysis;
pub mod causality;
mod causes;
pub mod claims;
pub mod class;
mod clock;
mod clocks;
mod completion;
mod efficiency;
mod error;
mod experiment;
mod findings;
pub mod judge;
pub mod ledger;
mod metrics;
pub mod paths;
pub mod patterns;
pub mod reading;
mod recorded;
mod remarks;
mod result;
pub mod search;
mod seconds;
pub mod sums;
mod words;

pub use analysis::{conclude, Analysis};
pub use error::Error;
pub use experiment::analyze;
pub use metrics::metrics;
pub use recorded::EventCost;
pub use result::Description;

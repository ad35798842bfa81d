//! Searches a trace for wait states, profiles it, and ranks findings.
//!
//! [`analyze`] takes an experiment and returns severities (metric x call path x thread) and
//! conclusions. Its parts, each of which uses those before it alone:
//!
//! - [`model`]: the terms that all parts share, such as call paths and classes of time.
//! - [`threads`]: facts about each thread alone, collected while its events are read.
//! - [`detectors`]: one folder for each kind of cause that is looked for in synchronisations and
//!   lock hand-overs.
//! - [`pipeline`]: reads any [`pgas_earl::EventSource`]s side by side, matches what threads do
//!   together, and hands each instance to the detectors as soon as it is complete: time grows
//!   linearly with events, memory with threads and call paths.
//! - [`conclude`](mod@conclude): from what the detectors found, in ticks, to the result in seconds,
//!   with findings and remarks.

pub mod conclude;
pub mod detectors;
mod experiment;
pub mod model;
pub mod pipeline;
mod symbols;
pub mod threads;

pub use conclude::description::Description;
pub use conclude::description::EventCost;
pub use conclude::metrics::metrics;
pub use conclude::{Analysis, conclude};
pub use detectors::delay;
pub use detectors::wait_states::{application, attribution, patterns};
pub use experiment::{analyze, analyze_shared};
pub use model::time_class;
pub use pipeline::error::Error;
pub use pipeline::{distributed, search, sums};
pub use symbols::{kept_or_resolved as symbols_of, resolve as resolve_symbols};
pub use threads::{one_sided, stacks};

//! The analysis of one experiment by several processes, on one node or many. Process 0 leads: it
//! matches, judges and replays; the streams are read by all, each its share, which is most of the
//! work. What crosses between processes is what threads contribute to compound events
//! ([`crate::threads::batch::Batch`]), a stretch of time after another, and at the end one profile
//! for each thread.
//!
//! Stretches follow from the events alone (`schedule`), and threads are judged in their order
//! whoever has read them; so the result is the same, bit for bit, for any number of processes. How
//! messages get from one process to another is up to an [`Exchange`].

mod division;
mod helper;
mod lead;
mod message;
mod seal;

pub use super::exchange::{Exchange, ExchangeError};
pub use helper::help;
pub(crate) use lead::Lead;
pub use lead::Team;

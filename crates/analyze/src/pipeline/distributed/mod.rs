//! The analysis of one experiment by several processes, on one node or many. Process 0 leads: it
//! matches, judges and replays; all processes read streams, each its share, which is most of the
//! work. They send the contributions of threads to compound events
//! ([`crate::threads::batch::Batch`]), one stretch of time after another, and at the end one
//! profile for each thread.
//!
//! Stretches follow from the events alone (`schedule`), and threads are judged in their order,
//! no matter which process has read them; so the result is the same, bit for bit, for any number of
//! processes. An [`Exchange`] transports the messages from one process to another.

mod division;
mod helper;
mod lead;
mod message;
mod seal;

pub use super::exchange::{Exchange, ExchangeError};
pub use helper::help;
pub(crate) use lead::Lead;
pub use lead::Team;

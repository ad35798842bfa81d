//! From streams of events to instances of what threads do together. Streams are read side by side,
//! one stretch of time after another; the [`matcher`] gives each instance to the detectors while
//! the next stretch is read, and the last stage replays a stretch while the next one is matched.
//! Several processes may read together ([`distributed`]).

mod account;
pub(crate) mod contribution;
pub mod distributed;
pub(crate) mod error;
pub mod exchange;
mod handoff_queue;
pub mod matcher;
pub mod reading;
mod schedule;
pub mod search;
pub(crate) mod streams;
pub mod sums;
mod thread_profile;
pub(crate) mod workers;

//! What a running program does now, in memory that other processes can read.
//!
//! `pgastool run --live` gives every thread a file in memory ([`page`], [`row`], [`place`]). The
//! thread stores to it where it records anyway; readers ([`reader`]) map it and take a
//! [`Snapshot`] whenever they like. Nobody locks and nobody waits:
//!
//! - Each figure is one word that a single thread writes. The time in an operation is such a word,
//!   too ([`row::Row::time`]): while the operation lasts, it says since when, so that a wait is seen
//!   while it lasts, and no instant exists at which it is counted twice or not at all.
//! - Open regions are read until two readings agree. If the thread is too fast for that, the outer
//!   regions on which they agree are shown, and the rest is said to be missing.
//!
//! Files are of the machine that they lie on: numbers have its byte order.

mod collective;
pub mod metric;
pub mod page;
pub mod place;
pub mod problem;
pub mod reader;
pub mod registration;
pub mod row;
mod snapshot;
mod stack;
pub mod tasks;
mod words;

pub use collective::Collective;
pub use metric::Metric;
pub use page::{Header, Page};
pub use pgas_trace_format::clock::CalibrationPair;
pub use problem::Problem;
pub use reader::{LivePage, Source};
pub use row::Row;
pub use snapshot::{
    Activity, Channel, MetricValue, Operation, PathRegion, Port, Snapshot, State, Task, TaskState,
    Tasks,
};
pub use stack::{FILTERED, StackEntry};

//! Client of the manager of a running program (`pgastool run --live`): pictures, matrices,
//! history, and events as they happen.
//!
//! ```no_run
//! use pgas_watch_client::{Client, Event};
//!
//! # fn main() -> Result<(), pgas_watch_client::ClientError> {
//! let client = Client::of_experiment("pgas_heat".as_ref())?;
//! for event in client.changes()? {
//!     match event? {
//!         Event::Picture(picture) => println!("{:?}", picture.efficiency),
//!         Event::Found(change) => println!("found: {}", change.text),
//!         Event::Gone(change) => println!("gone: {}", change.text),
//!         Event::End { why } => println!("{why}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Types have what version 1 of the interface has; fields that a later tool adds are skipped.

mod changes;
mod client;
mod matrices;
mod picture;
mod place;
mod problem;
mod sse;
mod tasks;

pub use changes::{Changes, Event};
pub use client::{Announcement, Client};
pub use matrices::{Cell, Fresh, Matrices, Matrix, Metric, Point, Query, Series};
pub use picture::{
    Bytes, Change, Deadlock, Finding, LockWait, MetricNow, Now, OperationTime, Picture, Stuck,
    Times, Wait,
};
pub use place::Place;
pub use problem::ClientError;
pub use sse::{Message, Messages};
pub use tasks::{ChannelNow, ProcessorNow, StuckTask, TaskNow, TaskRef, TasksNow};

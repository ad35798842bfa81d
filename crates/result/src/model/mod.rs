//! The conclusions of an analysis as they lie in its files: [`summary::Summary`], its parts, and
//! timelines.

pub mod accesses;
pub mod causes;
pub mod clocks;
pub mod communication;
pub mod distribution;
mod fields;
pub mod live;
pub mod locality;
pub mod machine;
pub mod phases;
pub mod recording;
pub mod sampling;
pub mod summary;
pub mod synchronization;
pub mod tasks;
pub mod timeline;
pub mod withheld;

pub(crate) use fields::{Value, first_problem};

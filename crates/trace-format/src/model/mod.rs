//! The event model: what a trace says, independent of how it is stored.
//!
//! A trace is one stream of events per thread. Events are `Enter` and `Exit` of regions; a region
//! is a user function, an operation of the PGAS runtime, or a user-defined block. Everything that
//! only operations have (bytes, partner, lock, synchronisation mode) is an [`Attributes`] of their
//! Enter or Exit. The model follows N. Andreev and K. Afanasiev, "A set of inefficiency patterns
//! for the PGAS programming model on the example of UPC", Computational Technologies 16(3), 2011.

mod address;
mod attributes;
mod event;
mod operation;
mod profile;
mod site;
mod stack_samples;
mod thread;

pub use address::Address;
pub use attributes::{Attributes, GroupFlow, SyncMode, TaskReason};
pub use event::{Event, EventKind};
pub use operation::Operation;
pub use profile::{CallSums, Profile, ProfileScope};
pub use site::{Site, SiteId};
pub use stack_samples::{Module, PathEntry, SampleClock, StackSample, StackSamples};
pub use thread::{ClockComparison, ThreadId};

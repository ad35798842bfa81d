//! Event access for analyses: what a trace means, layer by layer, above how it is stored.
//!
//! One [`Walker`] follows the stream of one thread. It keeps the states that an event changes (the
//! region stack, the call tree with the time spent in each of its paths, the locks held) and
//! reports the operations that need other threads as records. [`SyncQueue`] matches barriers and
//! collective operations of all threads by number, [`Ownership`] matches lock events by time,
//! and [`Postings`] finds the write or post that ended a wait; what comes out are compound events, of which wait-state patterns are functions.
//!
//! ```
//! use pgas_earl::{
//!     BarrierRecord, EventSource, Numbered, Observer, StreamBuilder, SyncEvent, SyncInstance, SyncQueue, SyncRecord,
//!     Walker,
//! };
//! use pgas_trace::model::Operation;
//!
//! /// Collects the barriers of one thread.
//! #[derive(Default)]
//! struct Barriers(Vec<BarrierRecord>);
//!
//! impl Observer for Barriers {
//!     fn barrier(&mut self, record: BarrierRecord) {
//!         self.0.push(record);
//!     }
//! }
//!
//! let mut queue = SyncQueue::new(2);
//! for (thread, arrival) in [(0, 10), (1, 45)] {
//!     let mut stream = StreamBuilder::new();
//!     stream.operation(arrival, 50, Operation::Barrier, "heat.upc", 12);
//!     let mut source = stream.source();
//!     let (mut walker, mut barriers) = (Walker::new(thread), Barriers::default());
//!     while let Some(Ok(event)) = source.next_event() {
//!         walker.step(&event, |id| source.site(id), &mut barriers)?;
//!     }
//!     walker.finish(&mut barriers);
//!     for record in barriers.0 {
//!         queue.push(thread, Numbered::Record(SyncRecord::Barrier(record), ()));
//!     }
//! }
//! let mut instance = SyncInstance::default();
//! assert!(queue.pop(&mut instance));
//! let SyncEvent::Barrier(barrier) = &instance.event else {
//!     panic!("no barrier");
//! };
//! assert_eq!(barrier.last_arrival(), (1, 45));
//! # Ok::<(), pgas_earl::Error>(())
//! ```
//!
//! Questions about single places of a trace (an event by its number or time, the states at that
//! time, the events that it points to) are answered by [`access::EventTrace`], which reads no more
//! of the streams than the answer needs.
//!
//! The events, the states and the pointer attributes follow F. Wolf and B. Mohr, "Specifying
//! performance properties of parallel applications using compound events" (2001), and N. Andreev
//! and K. Afanasiev, "A set of inefficiency patterns for the PGAS programming model on the example
//! of UPC", Computational Technologies 16(3), 2011.

pub mod access;
pub mod barrier;
pub mod build;
pub mod calltree;
pub mod collective;
pub mod error;
pub mod interval;
mod normalise;
pub mod operation;
pub mod ownership;
pub mod posting;
pub mod queue;
pub mod record;
pub mod sites;
pub mod source;
pub mod syncpoint;
pub mod walker;

pub use barrier::{BarrierInstance, ValueGroup};
pub use build::StreamBuilder;
pub use calltree::{CallTree, MAX_PATHS, PathId, PathNode};
pub use collective::{Callers, CollectiveInstance, Disagreement};
pub use error::Error;
pub use ownership::{EarlyTake, LockHandover, Ownership, Release};
pub use posting::{Awaited, PostId, PostedBy, Posting, Postings};
pub use queue::{Numbered, SyncCount, SyncEvent, SyncInstance, SyncQueue, SyncRecord, Unmatched};
pub use record::{
    BarrierRecord, CollectiveRecord, Completion, FlagWaitBegin, GroupOperation, LockAcquisition,
    LockRelease, Post, PostWait, Posted, Span, SplitNotify, Words,
};
pub use sites::{SiteTable, SourceSite};
pub use source::{EventSource, MemorySource};
pub use syncpoint::{Matched, SyncPoint, SyncPointKind};
pub use walker::{Anomalies, Observer, Position, View, Walker};

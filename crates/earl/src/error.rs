//! Errors in a stream of events that make it impossible to follow.

use pgas_trace::model::{SiteId, ThreadId};

/// A stream that contradicts the event model. Reading errors of the storage below are not here:
/// they are the source's own type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An event is earlier than the one before it on the same thread.
    #[error(
        "thread {thread}: event {event} has time {found}, but the event before it {previous}; \
         times of one thread must not decrease (a damaged stream, or clocks that were adjusted \
         during the run)"
    )]
    TimeReversed {
        /// Thread of the stream.
        thread: ThreadId,
        /// Number of the event in its stream, from 0.
        event: u64,
        /// Ticks.
        previous: u64,
        /// Ticks.
        found: u64,
    },
    /// An event refers to a site that the stream does not define.
    #[error(
        "thread {thread}: event {event} refers to site {}, which the stream does not define; the stream is damaged \
         or was cut in its definitions",
        site.0
    )]
    UnknownSite {
        /// Thread of the stream.
        thread: ThreadId,
        /// Number of the event in its stream, from 0.
        event: u64,
        /// The undefined site.
        site: SiteId,
    },
}

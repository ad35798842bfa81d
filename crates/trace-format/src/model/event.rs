//! Events: a time, and the Enter or Exit of a region.

use super::attributes::Attributes;
use super::site::SiteId;

/// Begin or end of a region on a thread's stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// Begins a region inside of the innermost open one.
    Enter {
        /// The region and its place in the source.
        site: SiteId,
        /// Attributes that are known when the region begins.
        attributes: Attributes,
    },
    /// Ends the innermost open region, which was entered at `site`.
    Exit {
        /// Site of the Enter that belongs to it.
        site: SiteId,
        /// Attributes that are known when the region ends.
        attributes: Attributes,
    },
}

/// One event of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Ticks of the experiment's clock; on one thread never decreasing.
    pub time: u64,
    /// Begin or end of a region.
    pub kind: EventKind,
}

//! Events: a time, and the Enter or Exit of a region.

use super::attributes::Attributes;
use super::site::SiteId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    Enter {
        site: SiteId,
        attributes: Attributes,
    },
    /// Ends the innermost open region, which was entered at `site`.
    Exit {
        site: SiteId,
        attributes: Attributes,
    },
}

/// One event of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Ticks of the experiment's clock; on one thread never decreasing.
    pub time: u64,
    pub kind: EventKind,
}

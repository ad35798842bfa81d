//! Lock contention: a thread wants a lock that another one holds.

use pgas_earl::LockHandover;

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "lock_contention",
    precedence: 40,
    display_name: "Lock contention",
    parent: "lock",
    description: "Time from a thread's entry into upc_lock to the start of the upc_unlock by the \
                  owner before it.",
    remedy: "Do less while holding the lock, or use several locks for separate data.",
    late_arrival: false,
    formula: Formula::Lock(judge),
};

fn judge(handover: &LockHandover, attribution: &mut Attribution) {
    if let Some(release) = handover.previous {
        attribution.waited_for(release.thread);
        attribution.wait(0, handover.acquisition.span.begin, release.record.time);
    }
}

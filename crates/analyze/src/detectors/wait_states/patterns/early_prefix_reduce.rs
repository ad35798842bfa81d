//! Early prefix reduce: a thread needs what all threads with smaller numbers contribute.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "early_prefix_reduce",
    precedence: 100,
    display_name: "Early prefix reduce",
    parent: "collective",
    description: "Time from a thread's entry into a prefix reduce with UPC_IN_MYSYNC to the entry \
                  of the last thread with a smaller number.",
    remedy: "Let threads with small numbers have less work before it, since all others need their \
             part.",
    late_arrival: true,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    if collective.operation != Operation::PrefixReduce || collective.sync_in != SyncMode::Mine {
        return;
    }
    let mut last = (0, 0);
    for (thread, member) in collective.members.iter().enumerate() {
        let enter = member.span.begin;
        if enter < last.1 {
            // The latest of those that somebody waited for: the others waited for no one later.
            attribution.waited_for(last.0);
            attribution.wait(thread, enter, last.1);
        } else if enter > last.1 || thread == 0 {
            last = (thread as ThreadId, enter);
        }
    }
}

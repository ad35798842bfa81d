//! Collective sync in: an operation that begins with a barrier, because its mode says so.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::SyncMode;

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "collective_sync_in",
    precedence: 60,
    display_name: "Collective sync in",
    parent: "collective",
    description: "Time from a thread's entry into a collective operation with UPC_IN_ALLSYNC to \
                  the entry of the last thread.",
    remedy: "If the data is ready earlier, UPC_IN_MYSYNC or UPC_IN_NOSYNC lets threads begin \
             without all others.",
    late_arrival: true,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    if collective.sync_in != SyncMode::All {
        return;
    }
    let (last, enter) = collective.last_enter();
    attribution.waited_for(last);
    for (thread, member) in collective.members.iter().enumerate() {
        attribution.wait(thread, member.span.begin, enter);
    }
}

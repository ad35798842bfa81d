//! Collective sync out: an operation that ends with a barrier, because its mode says so.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::SyncMode;

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;
use crate::detectors::wait_states::completion;

pub const PATTERN: Pattern = Pattern {
    id: "collective_sync_out",
    precedence: 130,
    display_name: "Collective sync out",
    parent: "collective",
    description: "Time in a collective operation with UPC_OUT_ALLSYNC after the first thread has \
                  left it and the last one has entered it.",
    remedy: "If nobody needs all results at once, UPC_OUT_MYSYNC or UPC_OUT_NOSYNC lets threads \
             leave earlier.",
    late_arrival: false,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    if collective.sync_out == SyncMode::All {
        let exits = collective.members.iter().map(|m| m.span.end);
        completion::claim(exits, collective.last_enter(), attribution);
    }
}

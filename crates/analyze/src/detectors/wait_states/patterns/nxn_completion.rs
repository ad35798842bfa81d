//! N x N completion: threads leave an operation, in which all exchange with all, at different
//! times.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::{Operation, SyncMode};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;
use crate::detectors::wait_states::completion;

pub const PATTERN: Pattern = Pattern {
    id: "nxn_completion",
    precedence: 120,
    display_name: "N x N completion",
    parent: "collective",
    description: "Time in a gather_all or exchange with UPC_OUT_MYSYNC after the first thread has \
                  left it and the last one has entered it.",
    remedy: "Part of it is the transfer itself: exchange less data, or give each thread a core of \
             its own.",
    late_arrival: false,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    let applies = matches!(
        collective.operation,
        Operation::GatherAll | Operation::Exchange
    ) && collective.sync_out == SyncMode::Mine;
    if applies {
        let exits = collective.members.iter().map(|m| m.span.end);
        completion::claim(exits, collective.last_enter(), attribution);
    }
}

//! Late broadcast: the root has the data and comes later than those who want it.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::{Operation, SyncMode};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "late_broadcast",
    precedence: 70,
    display_name: "Late broadcast",
    parent: "collective",
    description: "Time from a thread's entry into a broadcast or scatter with UPC_IN_MYSYNC to \
                  the entry of the root.",
    remedy: "Let the root call it earlier, or the others do work first that does not need the \
             data.",
    late_arrival: true,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    let applies = matches!(
        collective.operation,
        Operation::Broadcast | Operation::Scatter
    ) && collective.sync_in == SyncMode::Mine;
    let Some(root) = collective.root.filter(|_| applies) else {
        return;
    };
    let Some(sender) = collective.members.get(root as usize) else {
        return;
    };
    attribution.waited_for(root);
    for (thread, member) in collective.members.iter().enumerate() {
        attribution.wait(thread, member.span.begin, sender.span.begin);
    }
}

//! Early gather, the sender's side: a thread that may not leave before the root has come.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::{Operation, SyncMode};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "early_gather_sender",
    precedence: 90,
    display_name: "Early gather, sender",
    parent: "early_gather",
    description: "Time from a sender's entry into a gather or reduce with UPC_IN_MYSYNC to the \
                  entry of the root. Only with UPC_OUT_MYSYNC and UPC_OUT_ALLSYNC, where a sender \
                  may not leave before.",
    remedy: "UPC_OUT_NOSYNC lets senders go on, if they do not overwrite the data until a later \
             barrier.",
    late_arrival: true,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    let applies = matches!(collective.operation, Operation::Gather | Operation::Reduce)
        && collective.sync_in == SyncMode::Mine
        && collective.sync_out != SyncMode::None;
    let Some(root) = collective.root.filter(|_| applies) else {
        return;
    };
    let Some(receiver) = collective.members.get(root as usize) else {
        return;
    };
    attribution.waited_for(root);
    for (thread, member) in collective.members.iter().enumerate() {
        attribution.wait(thread, member.span.begin, receiver.span.begin);
    }
}

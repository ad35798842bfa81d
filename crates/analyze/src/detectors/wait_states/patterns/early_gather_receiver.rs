//! Early gather, the receiver's side: the root is there before those whose data it collects.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "early_gather_receiver",
    precedence: 80,
    display_name: "Early gather, receiver",
    parent: "early_gather",
    description: "Time from the root's entry into a gather or reduce with UPC_IN_MYSYNC to the \
                  entry of the last of the other threads.",
    remedy: "Let the root do other work before it collects.",
    late_arrival: true,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    let applies = matches!(collective.operation, Operation::Gather | Operation::Reduce)
        && collective.sync_in == SyncMode::Mine;
    let Some(root) = collective.root.filter(|_| applies) else {
        return;
    };
    let Some(receiver) = collective.members.get(root as usize) else {
        return;
    };
    let senders = collective.members.iter().enumerate();
    let last = senders
        .map(|(thread, member)| (thread as ThreadId, member.span.begin))
        .filter(|&(thread, _)| thread != root)
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    if let Some((last, enter)) = last {
        attribution.waited_for(last);
        attribution.wait(root as usize, receiver.span.begin, enter);
    }
}

//! Wait inside collective: the root of an operation is alone in it, so nobody exchanges data with
//! it.

use pgas_earl::{CollectiveInstance, Span};
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "wait_inside_collective",
    precedence: 140,
    display_name: "Wait inside collective",
    parent: "collective",
    description: "Time of the root in a broadcast, scatter, gather or reduce with UPC_IN_MYSYNC \
                  in which no other thread was in the operation, beyond what is an early gather.",
    remedy: "Let the threads call it at about the same time.",
    late_arrival: false,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    let applies = matches!(
        collective.operation,
        Operation::Broadcast | Operation::Scatter | Operation::Gather | Operation::Reduce
    ) && collective.sync_in == SyncMode::Mine;
    let Some(root) = collective.root.filter(|_| applies) else {
        return;
    };
    let root = root as usize;
    let Some(own) = collective.members.get(root).map(|m| m.span) else {
        return;
    };
    let members = collective.members.iter().enumerate();
    let mut others: Vec<(Span, ThreadId)> = members
        .filter(|&(thread, _)| thread != root)
        .map(|(thread, member)| (member.span, thread as ThreadId))
        .collect();
    others.sort_unstable_by_key(|(span, thread)| (span.begin, *thread));
    let Some(&(_, last)) = others.last() else {
        return;
    };
    attribution.waited_for(last);
    // The gaps between the united intervals of the others.
    let mut alone_since = own.begin;
    let mut left_last = last;
    for (span, thread) in others {
        attribution.measured_against(thread);
        attribution.wait(root, alone_since, span.begin);
        if span.end > alone_since {
            (alone_since, left_last) = (span.end, thread);
        }
    }
    attribution.measured_against(left_last);
    attribution.wait(root, alone_since, own.end);
}

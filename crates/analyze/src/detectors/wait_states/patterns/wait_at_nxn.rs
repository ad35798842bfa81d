//! Wait at N x N: everyone needs everyone's data.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::{Operation, SyncMode};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "wait_at_nxn",
    precedence: 110,
    display_name: "Wait at N x N",
    parent: "collective",
    description: "Time from a thread's entry into a gather_all or exchange with UPC_IN_MYSYNC to \
                  the entry of the last thread. An upper bound: part of it may be useful transfer \
                  of data that was already there.",
    remedy: "",
    late_arrival: true,
    formula: Formula::Collective(judge),
};

fn judge(collective: &CollectiveInstance, attribution: &mut Attribution) {
    let applies = matches!(
        collective.operation,
        Operation::GatherAll | Operation::Exchange
    ) && collective.sync_in == SyncMode::Mine;
    if !applies {
        return;
    }
    let (last, enter) = collective.last_enter();
    attribution.waited_for(last);
    for (thread, member) in collective.members.iter().enumerate() {
        attribution.wait(thread, member.span.begin, enter);
    }
}

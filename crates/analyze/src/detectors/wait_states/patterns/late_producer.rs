//! Late producer: a processor is idle until a message is sent to one of its tasks.

use super::{Formula, Pattern};
use crate::detectors::tasks::idle::IdlePeriod;
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "late_producer",
    precedence: 52,
    display_name: "Late producer",
    parent: "message",
    description: "Idle time of a processor until a message was sent that one of its tasks waited \
                  for.",
    remedy: "Let the task that sends do less, send earlier and in smaller pieces, or divide it \
             among several tasks.",
    late_arrival: false,
    formula: Formula::Idle(until_sent),
};

fn until_sent(period: &IdlePeriod, attribution: &mut Attribution) {
    if period.waited_in.is_some_and(|waited| !waited.to_send) {
        until_woken(period, attribution);
    }
}

/// The processor waited from the begin of the period until its task could run.
pub(super) fn until_woken(period: &IdlePeriod, attribution: &mut Attribution) {
    if let (Some(wake), Some(until)) = (period.wake, period.woken()) {
        attribution.waited_for(wake.thread);
        attribution.wait(1, period.wait.span.begin, until);
    }
}

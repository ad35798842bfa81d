//! Slow consumer: a processor is idle until there is a place for a message of one of its tasks.

use super::late_producer::until_woken;
use super::{Formula, Pattern};
use crate::detectors::tasks::idle::IdlePeriod;
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "slow_consumer",
    precedence: 53,
    display_name: "Slow consumer",
    parent: "message",
    description: "Idle time of a processor until a message was received so that the one which a \
                  task had sent had a place in its channel.",
    remedy: "Let the task that receives do less for each message, divide it among several tasks, \
             or give the channel more places if its pace varies.",
    late_arrival: false,
    formula: Formula::Idle(until_received),
};

fn until_received(period: &IdlePeriod, attribution: &mut Attribution) {
    if period.waited_in.is_some_and(|waited| waited.to_send) {
        until_woken(period, attribution);
    }
}

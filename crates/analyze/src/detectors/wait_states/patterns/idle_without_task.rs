//! Idle without task: a processor is idle while tasks that could run wait for other processors.

use super::{Formula, Pattern};
use crate::detectors::tasks::idle::IdlePeriod;
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "idle_without_task",
    precedence: 51,
    display_name: "Idle without task",
    parent: "message",
    description: "Idle time of a processor while tasks that could run waited for other processors, \
                  which ran other tasks.",
    remedy: "Map tasks that can run at the same time to different processors.",
    late_arrival: false,
    formula: Formula::Idle(others_ready),
};

fn others_ready(period: &IdlePeriod, attribution: &mut Attribution) {
    for part in &period.others_ready {
        attribution.wait(0, part.begin, part.end);
    }
}

//! No core after waiting: a thread could go on, and had no core to do so.

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "no_core_after_wait",
    precedence: 115,
    display_name: "No core after waiting",
    parent: "no_core",
    description: "Time in a barrier, a lock or a collective operation in which a thread had no \
                  core though what it waited for had come.",
    remedy: "Give each thread a core of its own: run fewer threads, or nothing else on these \
             cores.",
    late_arrival: false,
    formula: Formula::Any(Attribution::no_core),
};

//! Wait for a signal: a thread waits for the word that a transfer sets when its data are there.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, until_post};

pub const PATTERN: Pattern = Pattern {
    id: "signal_wait",
    precedence: 42,
    display_name: "Waiting for a signal",
    parent: "point_to_point",
    description: "Time from a thread's entry into a wait for a signal to the start of the \
                  transfer that sets it.",
    remedy: "Start the transfer as soon as its data are ready, and do work that does not need \
             them before waiting.",
    late_arrival: true,
    formula: Formula::Post(Operation::SignalWait, until_post),
};

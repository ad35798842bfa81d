//! Wait for a flag: a thread reads a word of shared memory until another one has written it.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, until_post};

pub const PATTERN: Pattern = Pattern {
    id: "flag_wait",
    precedence: 41,
    display_name: "Waiting for a flag",
    parent: "point_to_point",
    description: "Time from the first look at a flag that is not set yet to the write by the \
                  thread that sets it.",
    remedy: "Set the flag as soon as what it stands for is done, and do work that does not need \
             it before waiting.",
    late_arrival: true,
    formula: Formula::Post(Operation::FlagWait, until_post),
};

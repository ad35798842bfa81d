//! Wait for a partner: a thread synchronises with some others, and comes before one of them.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, until_post};

pub const PATTERN: Pattern = Pattern {
    id: "partner_wait",
    precedence: 44,
    display_name: "Waiting for a partner",
    parent: "point_to_point",
    description: "Time from a thread's entry into a synchronisation with some of the threads to \
                  the entry of the last one of these.",
    remedy: "Divide the work between the partners evenly, or synchronise with fewer of them.",
    late_arrival: true,
    formula: Formula::Post(Operation::PartnerSync, until_post),
};

//! Wait for an event: a thread takes from a semaphore or an event what nobody has posted yet.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, until_post};

pub const PATTERN: Pattern = Pattern {
    id: "event_wait",
    precedence: 43,
    display_name: "Waiting for an event",
    parent: "point_to_point",
    description: "Time from a thread's entry into a wait for an event or a semaphore to the post \
                  that ends it.",
    remedy: "Post as soon as what the event stands for is done, and do work that does not need it \
             before waiting.",
    late_arrival: true,
    formula: Formula::Post(Operation::EventWait, until_post),
};

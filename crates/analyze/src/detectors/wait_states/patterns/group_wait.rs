//! Wait in a group: a thread comes to a collective operation of some of the threads before one of
//! those whose data or arrival it needs.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, until_post};

pub const PATTERN: Pattern = Pattern {
    id: "group_wait",
    precedence: 45,
    display_name: "Waiting for a group",
    parent: "collective",
    description: "Time from a thread's entry into a barrier or collective operation of a group of \
                  threads (a team, an active set, a communicator) to the entry of the last member \
                  that it needs: of all, or of the root.",
    remedy: "Divide the work between the members of the group evenly, or let the root come first.",
    late_arrival: true,
    formula: Formula::Post(Operation::GroupCollective, until_post),
};

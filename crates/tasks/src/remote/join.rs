//! How a process becomes part of a program on several.

use std::ops::Range;

use crate::failure::Failure;
use crate::remote::launch;
use crate::remote::node::Node;
use crate::remote::wire::Wire;

/// Makes this one of several processes, which it starts if it is the first. `None` if it is to be
/// the only one.
///
/// # Errors
/// Processes that cannot be started.
pub(crate) fn join(processes: usize, processors: usize) -> Result<Option<&'static Node>, Failure> {
    let failed = |error| Failure::Start { processes, error };
    if let Some(place) = launch::started().map_err(failed)? {
        let wire = Box::new(place.sockets);
        return install(place.me, place.processes, processors, wire).map(Some);
    }
    if processes == 1 {
        return Ok(None);
    }
    let sockets = launch::start(processes).map_err(failed)?;
    install(0, processes, processors, Box::new(sockets)).map(Some)
}

fn install(
    me: u32,
    processes: usize,
    processors: usize,
    wire: Box<dyn Wire>,
) -> Result<&'static Node, Failure> {
    // Process 0 starts its own executable, so there is nothing to compare.
    Node::install(me, divide(processors, processes), 0, wire).ok_or(ONCE)
}

/// What a second run on several processes is told.
pub(crate) const ONCE: Failure =
    Failure::Processes("a program on several processes can only run once: it has run already");

/// Each process has as many processors as the others, or one more, and one at least.
fn divide(processors: usize, processes: usize) -> Vec<Range<usize>> {
    let bound = |process| process * processors / processes;
    (0..processes)
        .map(|process| bound(process)..bound(process + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_divided_evenly() {
        assert_eq!(divide(7, 3), [0..2, 2..4, 4..7]);
        assert_eq!(divide(2, 2), [0..1, 1..2]);
    }
}

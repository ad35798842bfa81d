//! How a process becomes part of a program on several.

use std::ops::Range;

use crate::failure::Failure;
use crate::remote::launch;
use crate::remote::node::Node;
use crate::remote::wire::Wire;
#[cfg(feature = "mpi")]
use crate::{anchor, remote::mpi_wire};

/// Makes this one of several processes, which it starts if it is the first. `None` if it is to be
/// the only one.
///
/// # Errors
/// Processes that cannot be started.
pub(crate) fn join(processes: usize, processors: usize) -> Result<Option<&'static Node>, Failure> {
    let failed = |error| Failure::Start { processes, error };
    #[cfg(feature = "mpi")]
    if job_size().is_some() {
        let wire = mpi_wire::MpiWire::connect().map_err(failed)?;
        let hash = anchor::executable_hash().map_err(failed)?;
        let (me, wire) = (wire.me, Box::new(wire));
        return install(me, divide(processors, processes), hash, wire).map(Some);
    }
    if let Some(place) = launch::started().map_err(failed)? {
        let wire = Box::new(place.sockets);
        // Process 0 has started its own executable, so there is nothing to compare.
        let parts = divide(processors, place.processes);
        return install(place.me, parts, 0, wire).map(Some);
    }
    if processes == 1 {
        return Ok(None);
    }
    let sockets = launch::start(processes).map_err(failed)?;
    install(0, divide(processors, processes), 0, Box::new(sockets)).map(Some)
}

fn install(
    me: u32,
    processors: Vec<Range<usize>>,
    executable: u64,
    wire: Box<dyn Wire>,
) -> Result<&'static Node, Failure> {
    Node::install(me, processors, executable, wire).ok_or(ONCE)
}

/// Processes of the MPI job of which this is one.
#[cfg(feature = "mpi")]
pub(crate) fn job_size() -> Option<usize> {
    mpi_wire::job_size().filter(|size| *size > 1)
}

/// There is no MPI.
#[cfg(not(feature = "mpi"))]
pub(crate) fn job_size() -> Option<usize> {
    None
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

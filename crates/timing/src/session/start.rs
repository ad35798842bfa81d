//! Time from thread 0's order to the first start, estimated from above.

use crate::collectives;
use crate::compare::GlobalClock;
use crate::processes::Processes;
use crate::ticks;

const BROADCASTS: u32 = 8;
/// Room for broadcasts that are slower than those that were tried.
const ROOM: f64 = 2.0;

/// Longest time of some broadcasts of one clock value, by the last thread that gets it, and some
/// room. Right on thread 0.
pub(super) fn broadcast_time<P: Processes + ?Sized>(processes: &P, clock: &GlobalClock) -> f64 {
    let times = (0..BROADCASTS).map(|_| {
        let mut words = [clock.global(processes.now()), 0];
        collectives::broadcast(processes, &mut words);
        let arrived = clock.global(processes.now());
        let took = ticks::between(words[0], arrived) + clock.uncertainty(arrived);
        collectives::maximum(processes, took)
    });
    // The first one may set up connections.
    let longest = times.skip(1).fold(0.0, f64::max);
    ROOM * longest
}

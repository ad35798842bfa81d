//! Waiting within one compound event: the patterns of the analysis applied to it, with the parts of
//! time that each of them claims, not only their sums.

use pgas_analyze::application::Patterns;
use pgas_analyze::attribution::Attribution;
use pgas_analyze::time_class::Class;
use pgas_earl::{Awaited, BarrierInstance, CollectiveInstance, LockHandover, PathId, Span};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

/// Time that one thread lost to one pattern in one compound event.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    /// The pattern, by its place in [`pgas_analyze::patterns::PATTERNS`].
    pub pattern: usize,
    pub thread: ThreadId,
    /// Call path of the operation, in the cube.
    pub path: PathId,
    /// The thread by whose clock it ended.
    pub against: Option<ThreadId>,
    /// From its begin to its end; not all of the time between need be lost.
    pub span: Span,
    /// The parts that were lost, in order.
    pub parts: Vec<Span>,
}

impl Wait {
    /// Ticks that were lost.
    pub fn ticks(&self) -> u64 {
        self.parts.iter().map(|part| part.length()).sum()
    }
}

/// Waits that the patterns attribute when they are applied to an event of threads with these clocks.
fn attributed(
    clocks: &Clocks,
    apply: impl FnOnce(&mut Patterns, &mut dyn FnMut(usize, &Attribution, Class)),
) -> Vec<Wait> {
    let mut waits = Vec::new();
    let mut patterns = Patterns::new(clocks.clone());
    apply(&mut patterns, &mut |pattern, attribution, _| {
        waits.extend(attribution.charges().iter().map(|charge| Wait {
            pattern,
            thread: charge.thread,
            path: charge.path,
            against: charge.against,
            span: Span::new(charge.begin, charge.end),
            parts: attribution.parts(charge).to_vec(),
        }));
    });
    waits
}

/// The waits in a barrier.
pub fn in_barrier(barrier: &BarrierInstance, clocks: &Clocks) -> Vec<Wait> {
    attributed(clocks, |patterns, tell| patterns.barrier(barrier, tell))
}

/// The waits in a collective operation or allocation, or at the end of the program.
pub fn in_collective(instance: &CollectiveInstance, clocks: &Clocks) -> Vec<Wait> {
    attributed(clocks, |patterns, tell| patterns.collective(instance, tell))
}

/// The wait for a lock.
pub fn for_lock(handover: &LockHandover, clocks: &Clocks) -> Vec<Wait> {
    attributed(clocks, |patterns, tell| patterns.handover(handover, tell))
}

/// The wait for a post.
pub fn for_post(awaited: &Awaited, clocks: &Clocks) -> Vec<Wait> {
    attributed(clocks, |patterns, tell| patterns.awaited(awaited, tell))
}

//! The wait-state patterns: one small file each, with a name, a place in the metric tree, a condition and a
//! formula on a compound event. To add one, write its file and add a line to [`PATTERNS`].
//!
//! Definitions: N. Andreev and K. Afanasiev, "A set of inefficiency patterns for the PGAS programming model on the
//! example of UPC", Computational Technologies 16(3), 2011, which adapts F. Wolf and B. Mohr, "Specifying performance
//! properties of parallel applications using compound events" (2001).

mod barrier_completion;
mod collective_sync_in;
mod collective_sync_out;
mod completion;
mod early_gather_receiver;
mod early_gather_sender;
mod early_prefix_reduce;
mod late_broadcast;
mod lock_contention;
mod nxn_completion;
mod split_phase_wait;
mod wait_at_alloc;
mod wait_at_barrier;
mod wait_at_nxn;
mod wait_inside_collective;

use pgas_earl::{BarrierInstance, CollectiveInstance, LockHandover};

use crate::claims::Claims;

/// One wait state: what a thread can lose time to.
#[derive(Debug)]
pub struct Pattern {
    /// Metric id.
    pub id: &'static str,
    pub display_name: &'static str,
    /// Metric id of the parent.
    pub parent: &'static str,
    pub description: &'static str,
    /// What to try about the operation itself, in a sentence; empty where only its causes can be changed.
    pub remedy: &'static str,
    /// Whether the thread waited for is one that arrived late, so that what it did before is the cause.
    pub late_arrival: bool,
    pub formula: Formula,
}

/// The compound event that a pattern is a function of. The function states its condition and claims the time that
/// each thread lost; times are ticks.
#[derive(Debug, Clone, Copy)]
pub enum Formula {
    /// A barrier phase; also the end of the program, which all threads reach together.
    Barrier(fn(&BarrierInstance, &mut Claims)),
    /// A collective operation.
    Collective(fn(&CollectiveInstance, &mut Claims)),
    /// A collective allocation of shared memory or of a lock.
    Allocation(fn(&CollectiveInstance, &mut Claims)),
    /// A lock was taken by `upc_lock`; the only member of the claims is the thread that took it.
    Lock(fn(&LockHandover, &mut Claims)),
}

/// Every pattern, in order of precedence: where two cover the same second of a thread, it belongs to the first.
/// Waiting on entry goes before completion.
pub const PATTERNS: &[&Pattern] = &[
    &wait_at_barrier::PATTERN,
    &split_phase_wait::PATTERN,
    &barrier_completion::PATTERN,
    &lock_contention::PATTERN,
    &wait_at_alloc::PATTERN,
    &collective_sync_in::PATTERN,
    &late_broadcast::PATTERN,
    &early_gather_receiver::PATTERN,
    &early_gather_sender::PATTERN,
    &early_prefix_reduce::PATTERN,
    &wait_at_nxn::PATTERN,
    &nxn_completion::PATTERN,
    &collective_sync_out::PATTERN,
    &wait_inside_collective::PATTERN,
];

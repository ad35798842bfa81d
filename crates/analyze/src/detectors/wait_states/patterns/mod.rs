//! The wait-state patterns: one small file each, with a name, a place in the metric tree, a
//! condition and a formula on a compound event. Every file of this directory is a pattern: to add
//! one, write its file, which the build finds (`build.rs`), and its page in the pattern reference,
//! `docs/patterns/`.
//!
//! Definitions: N. Andreev and K. Afanasiev, "A set of inefficiency patterns for the PGAS
//! programming model on the example of UPC", Computational Technologies 16(3), 2011, which adapts
//! F. Wolf and B. Mohr, "Specifying performance properties of parallel applications using compound
//! events" (2001).

use std::sync::LazyLock;

use pgas_earl::{Awaited, BarrierInstance, CollectiveInstance, Completion, LockHandover};
use pgas_trace::Clocks;
use pgas_trace::model::Operation;

use crate::detectors::tasks::idle::IdlePeriod;
use crate::detectors::wait_states::attribution::Attribution;

/// One wait state: what a thread can lose time to.
#[derive(Debug)]
pub struct Pattern {
    /// Metric id.
    pub id: &'static str,
    /// Of two patterns that cover the same second of a thread, it belongs to the one with the
    /// smaller number: waiting on entry goes before completion. Metrics are listed in this
    /// order, too. No two are equal.
    pub precedence: u32,
    /// Name of the metric in reports.
    pub display_name: &'static str,
    /// Metric id of the parent.
    pub parent: &'static str,
    /// Text that explains the metric in results.
    pub description: &'static str,
    /// Advice on the operation itself, in a sentence; empty where only its causes can be changed.
    pub remedy: &'static str,
    /// Whether the thread waited for is one that arrived late, so that its activity before is the
    /// cause.
    pub late_arrival: bool,
    /// Compound event that the pattern applies to, and the function that attributes time in it.
    pub formula: Formula,
}

impl Pattern {
    /// Whether each thread lost its time to one other thread, which came, or gave a lock back, when
    /// that time ended. The activity of that thread before is the cause.
    pub fn waits_for_one(&self) -> bool {
        self.late_arrival || matches!(self.formula, Formula::Lock(_))
    }
}

/// The compound event that a pattern is a function of. The function states its condition and
/// attribution the time that each thread lost; times are ticks.
#[derive(Debug, Clone, Copy)]
pub enum Formula {
    /// A barrier phase; also the end of the program, which all threads reach together.
    Barrier(fn(&BarrierInstance, &mut Attribution)),
    /// A collective operation.
    Collective(fn(&CollectiveInstance, &mut Attribution)),
    /// A collective allocation of shared memory or of a lock; its condition compares times of
    /// different threads, which are known as well as their clocks.
    Allocation(fn(&CollectiveInstance, &Clocks, &mut Attribution)),
    /// A lock was taken by `upc_lock`; the only member of the attribution is the thread that took
    /// it.
    Lock(fn(&LockHandover, &mut Attribution)),
    /// A wait of that kind for what another thread posts; the only member of the attribution is the
    /// thread that waited.
    Post(Operation, fn(&Awaited, &mut Attribution)),
    /// A call of that kind in which a thread waits for its own transfers; it is the only member of
    /// the attribution.
    Completion(Operation, fn(&Completion, &mut Attribution)),
    /// An idle period of a processor of tasks. The members of the attribution are the idle time, and
    /// the operation in which the task waited that ended it, if it did.
    Idle(fn(&IdlePeriod, &mut Attribution)),
    /// Any of these: a function of what no other pattern has claimed before.
    Any(fn(&mut Attribution)),
}

impl Formula {
    /// Whether the compound event has some of the threads only, so that it is no instance between
    /// two synchronisations of all.
    pub fn is_of_some_threads(self) -> bool {
        matches!(
            self,
            Formula::Lock(_) | Formula::Post(..) | Formula::Completion(..) | Formula::Idle(_)
        )
    }
}

/// Every pattern, in order of precedence.
pub static PATTERNS: LazyLock<Vec<&'static Pattern>> = LazyLock::new(|| {
    let mut patterns = all();
    patterns.sort_by_key(|pattern| pattern.precedence);
    patterns
});

// The modules of this directory, and `all()`, which returns their patterns.
include!(concat!(env!("OUT_DIR"), "/patterns.rs"));

/// The thread waited from its own entry to that of the thread whose post ended the wait.
fn until_post(awaited: &Awaited, attribution: &mut Attribution) {
    if let Some(post) = awaited.post {
        attribution.waited_for(post.thread);
        attribution.wait(0, awaited.wait.span.begin, post.record.time);
    }
}

/// The thread waited for its transfers all the time that it was there.
fn all_of_it(completion: &Completion, attribution: &mut Attribution) {
    attribution.wait(0, completion.span.begin, completion.span.end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_an_id_and_a_precedence_of_its_own() {
        for pair in PATTERNS.windows(2) {
            assert!(pair[0].precedence < pair[1].precedence, "{pair:?}");
        }
        let mut ids: Vec<_> = PATTERNS.iter().map(|pattern| pattern.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), PATTERNS.len());
    }

    #[test]
    fn every_pattern_has_a_page_in_the_pattern_reference() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/patterns");
        for pattern in PATTERNS.iter() {
            let path = format!("{docs}/{}.md", pattern.id);
            let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
            assert!(page.contains(&format!("`{}`", pattern.id)), "{path}");
        }
    }
}

//! How long barriers and collective operations take once all threads have arrived, and free locks
//! until they are taken, which depends on the operation and the machine but not on other threads.

use pgas_earl::{BarrierInstance, CollectiveInstance, LockHandover, PathId, SyncEvent};
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, SyncMode, ThreadId};
use rustc_hash::FxHashMap;

use super::Detector;
use crate::threads::batch::Instance;

/// Bits of a length that are kept beside its power of two: lengths are known to 3 %.
const KEPT_BITS: u32 = 4;

/// Instances of one call path.
#[derive(Debug, Clone, Default)]
pub struct Lengths {
    /// Number of instances by rounded length.
    counts: FxHashMap<u32, u64>,
    /// Number of instances.
    pub instances: u64,
    /// Bytes of each thread's block, the same in all instances; `None` if they differ, or if the
    /// operation moves no data.
    pub bytes: Option<u64>,
    /// How the operation synchronises, if it is a collective one.
    pub modes: Option<(SyncMode, SyncMode)>,
    /// Ticks by which lengths may be wrong, since the threads' clocks are.
    pub uncertainty: f64,
    /// They are of one thread each, which took a lock.
    pub is_of_lock: bool,
}

/// Collects lengths where all threads wait for all, so that none can leave before the last has
/// come, and of locks that nobody held.
#[derive(Debug)]
pub struct OperationLengths {
    is_ignored: bool,
    clocks: Clocks,
    by_path: FxHashMap<PathId, Lengths>,
}

impl OperationLengths {
    /// Lengths at a call path of thread 0; `None` if there are no instances.
    pub fn at(&self, path: PathId) -> Option<&Lengths> {
        self.by_path.get(&path)
    }

    /// Collects nothing from now on.
    pub(crate) fn ignore(&mut self) {
        self.is_ignored = true;
    }

    fn note(
        &mut self,
        path: PathId,
        (last, came): (ThreadId, u64),
        exits: impl Iterator<Item = u64>,
    ) -> &mut Lengths {
        let (slowest, left) = exits
            .enumerate()
            .map(|(thread, left)| (thread as ThreadId, left))
            .max_by_key(|&(_, left)| left)
            .unwrap_or((last, came));
        let lengths = self.by_path.entry(path).or_default();
        lengths.add(left.saturating_sub(came));
        let uncertainty = self.clocks.uncertainty_between(last, slowest, came);
        lengths.uncertainty = lengths.uncertainty.max(uncertainty);
        lengths
    }

    fn barrier(&mut self, barrier: &BarrierInstance) {
        // Between notify and wait threads do something else.
        if barrier.members.iter().any(|member| member.notify.is_some()) {
            return;
        }
        let exits = barrier.members.iter().map(|member| member.span.end);
        self.note(barrier.members[0].path, barrier.last_arrival(), exits);
    }

    /// Whether nobody held the lock, or was still about to give it back, when the thread asked for
    /// it: the owner before began to give it back earlier by more than the thread needed to take it,
    /// and than their clocks may differ. Of the first owner and of attempts nothing is known.
    fn is_free(&self, handover: &LockHandover) -> bool {
        let acquisition = &handover.acquisition;
        let is_whole = acquisition.nested.is_empty() && acquisition.no_core.is_empty();
        let Some(release) = handover.previous.as_ref() else {
            return false;
        };
        let (begin, released) = (acquisition.span.begin, release.record.time);
        let apart = begin.saturating_sub(released) as f64;
        let clocks = self
            .clocks
            .uncertainty_between(handover.thread, release.thread, begin);
        !acquisition.attempt && is_whole && apart > acquisition.span.length() as f64 + clocks
    }

    fn collective(&mut self, collective: &CollectiveInstance) {
        use Operation::{Exchange, GatherAll};
        let all_wait_for_all = collective.sync_in == SyncMode::All
            || collective.sync_out == SyncMode::All
            || matches!(collective.operation, GatherAll | Exchange);
        if !all_wait_for_all {
            return;
        }
        let block = block(collective);
        let exits = collective.members.iter().map(|member| member.span.end);
        let lengths = self.note(collective.members[0].path, collective.last_enter(), exits);
        let modes = Some((collective.sync_in, collective.sync_out));
        if lengths.instances == 1 {
            (lengths.bytes, lengths.modes) = (block, modes);
        } else if lengths.bytes != block || lengths.modes != modes {
            lengths.bytes = None;
        }
    }
}

impl Detector for OperationLengths {
    fn new(_threads: usize, clocks: &Clocks) -> Self {
        OperationLengths {
            is_ignored: false,
            clocks: clocks.clone(),
            by_path: FxHashMap::default(),
        }
    }

    fn instance(&mut self, instance: &Instance) {
        if self.is_ignored {
            return;
        }
        match &instance.event {
            SyncEvent::Barrier(barrier) => self.barrier(barrier),
            SyncEvent::Collective(collective) => self.collective(collective),
            SyncEvent::Disagreement(_) => {}
        }
    }

    fn handover(&mut self, handover: &LockHandover) {
        if !self.is_ignored && self.is_free(handover) {
            let acquisition = &handover.acquisition;
            let lengths = self.by_path.entry(acquisition.path).or_default();
            lengths.add(acquisition.span.length());
            lengths.is_of_lock = true;
        }
    }
}

impl Lengths {
    fn add(&mut self, ticks: u64) {
        *self.counts.entry(rounded(ticks)).or_default() += 1;
        self.instances += 1;
    }

    /// Ticks that half of the instances do not exceed.
    pub fn median(&self) -> u64 {
        let mut sorted: Vec<(u32, u64)> = self.counts.iter().map(|(&k, &n)| (k, n)).collect();
        sorted.sort_unstable();
        let mut below = 0;
        let middle = sorted.iter().find(|&&(_, count)| {
            below += count;
            2 * below >= self.instances
        });
        middle.map_or(0, |&(rounded, _)| ticks(rounded))
    }
}

/// Bytes of each thread's block in an operation whose size is that of one; `None` of others.
fn block(collective: &CollectiveInstance) -> Option<u64> {
    use Operation::*;
    let members = collective.members.iter();
    let threads = collective.members.len() as u64;
    match collective.operation {
        Broadcast | Scatter => members.map(|member| member.received).max(),
        Gather | GatherAll | Permute => members.map(|member| member.sent).max(),
        Exchange => members.map(|member| member.sent / threads).max(),
        _ => None,
    }
}

/// A length without its lower bits, in an order that is that of lengths.
fn rounded(ticks: u64) -> u32 {
    let bits = u64::BITS - ticks.leading_zeros();
    let dropped = bits.saturating_sub(KEPT_BITS + 1);
    (dropped << (KEPT_BITS + 1)) | (ticks >> dropped) as u32
}

/// The middle of the lengths that are rounded to this.
fn ticks(rounded: u32) -> u64 {
    let dropped = rounded >> (KEPT_BITS + 1);
    let kept = u64::from(rounded & ((1 << (KEPT_BITS + 1)) - 1));
    (kept << dropped) + (1u64 << dropped) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_by_three_percent_and_keep_their_order() {
        let mut last = 0;
        for length in (0..5000).chain((5000..100_000_000).step_by(7919)) {
            let key = rounded(length);
            assert!(key >= last, "{length}");
            last = key;
            let error = ticks(key).abs_diff(length) as f64;
            assert!(error <= 0.032 * length as f64, "{length}: {}", ticks(key));
        }
    }

    #[test]
    fn half_of_the_instances_take_no_longer_than_the_median() {
        let mut lengths = Lengths::default();
        for length in [10, 10, 20, 1000, 30, 20, 20] {
            lengths.add(length);
        }
        assert_eq!(lengths.median(), 20);
    }
}

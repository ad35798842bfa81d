//! Matches what the threads contribute to compound events and hands each to the detectors as soon
//! as it is complete; then the event is forgotten.

use pgas_earl::{
    Completion, Matched, Numbered, Ownership, Postings, SyncCount, SyncQueue, Unmatched,
};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

use crate::detectors::delay::{CriticalPath, Replay, Savings, Turn};
use crate::detectors::tasks::Tasks;
use crate::detectors::wait_states::severities::Severities;
use crate::detectors::{Detectors, Passed, Progress};
use crate::model::paths::CallPaths;
use crate::threads::batch::{Batch, Instance, LockRecord, PostRecord};
use crate::threads::epochs::Epochs;

/// Compound events of all threads, and what was found in them.
#[derive(Debug)]
pub struct InstanceMatcher {
    threads: usize,
    paths: CallPaths,
    synchronisations: SyncQueue<Epochs>,
    ownership: Ownership,
    postings: Postings,
    tasks: Tasks,
    /// Waits for own transfers, each with its thread, that other threads may still precede.
    completions: Vec<(ThreadId, Completion)>,
    clocks: Clocks,
    detectors: Detectors,
    instance: Instance,
}

impl InstanceMatcher {
    /// A matcher for a run of that number of threads, whose times are those of `clocks`.
    pub fn new(threads: usize, clocks: &Clocks) -> Self {
        InstanceMatcher {
            threads,
            paths: CallPaths::new(threads),
            synchronisations: SyncQueue::new(threads),
            ownership: Ownership::new(clocks.clone()),
            postings: Postings::new(clocks.clone()),
            tasks: Tasks::new(threads),
            completions: Vec::new(),
            clocks: clocks.clone(),
            detectors: Detectors::new(threads, clocks),
            instance: Instance::default(),
        }
    }

    /// Number of threads of the run.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Lengths of operations are not collected, since nothing compares them.
    pub(crate) fn ignore_lengths(&mut self) {
        self.detectors.lengths.ignore();
    }

    /// Takes what the threads have contributed; the batches are empty afterwards. No thread can add
    /// an event before `safe` (ticks; `None`: all streams have ended). Returns what is to be
    /// replayed next; `turn` is an empty one.
    pub fn take(&mut self, batches: &mut [Batch], safe: Option<u64>, turn: Turn) -> Turn {
        self.detectors.delay.begin(turn);
        for (thread, batch) in batches.iter_mut().enumerate() {
            self.paths.learn(thread, &mut batch.discovered);
            for next in &mut batch.synchronisations {
                if let Numbered::Record(record, _) = next {
                    self.paths.translate_synchronisation(thread, record);
                }
            }
            batch.steps.translate(thread, &self.paths);
            self.tasks.batch(thread, batch, &self.paths);
            self.detectors.batch(thread, batch, &self.paths);
            let id = thread as ThreadId;
            for next in batch.synchronisations.drain(..) {
                self.synchronisations.push(id, next);
            }
            if std::mem::take(&mut batch.numbers_end) {
                self.synchronisations.end(id);
            }
            for record in batch.locks.drain(..) {
                match record {
                    LockRecord::Acquired(mut record) => {
                        self.paths.translate_acquisition(thread, &mut record);
                        self.ownership.acquired(id, record);
                    }
                    LockRecord::Released(mut record) => {
                        self.paths.translate_release(thread, &mut record);
                        self.ownership.released(id, record);
                    }
                }
            }
            for mut record in batch.completions.drain(..) {
                record.path = self.paths.translate(thread, record.path);
                self.completions.push((id, record));
            }
            for record in batch.posts.drain(..) {
                match record {
                    PostRecord::Begins(begin) => self.postings.begins(id, begin),
                    PostRecord::Posted(mut post) => {
                        post.path = self.paths.translate(thread, post.path);
                        self.postings.posted(id, post);
                    }
                    PostRecord::Awaited(mut wait) => {
                        wait.path = self.paths.translate(thread, wait.path);
                        self.postings.awaited(id, wait);
                    }
                }
            }
        }
        self.tell_completions(safe);
        let detectors = &mut self.detectors;
        while self.synchronisations.pop(&mut self.instance) {
            detectors.instance(&self.instance);
        }
        self.ownership
            .advance(safe, |handover| detectors.handover(&handover));
        self.postings
            .advance(safe, |posting| detectors.posting(&posting));
        self.tasks.advance(safe, |told| detectors.idle(&told));
        for take in self.ownership.take_early() {
            detectors.early_take(&take);
        }
        let queue = &self.synchronisations;
        let passed = |kind| Passed {
            count: queue.completed(kind),
            exhausted: queue.is_exhausted(kind),
        };
        let progress = Progress {
            barriers: passed(Matched::Barrier),
            collectives: passed(Matched::Collective),
            is_in_order: queue.is_in_order(),
            settled: self
                .ownership
                .horizon()
                .min(self.postings.horizon())
                .min(self.tasks.horizon()),
            ended: safe.is_none(),
        };
        detectors.advance(&progress, &self.paths);
        detectors.delay.take_turn()
    }

    /// In the order of time, which does not depend on how the run is divided into stretches.
    fn tell_completions(&mut self, safe: Option<u64>) {
        self.completions
            .sort_by_key(|(thread, completion)| (completion.span.end, *thread));
        let is_safe = |(_, completion): &(ThreadId, Completion)| {
            safe.is_none_or(|safe| completion.span.end < safe)
        };
        let known = self.completions.partition_point(is_safe);
        for (thread, completion) in self.completions.drain(..known) {
            self.detectors.completion(thread, &completion);
        }
    }

    /// Takes what the replay of all turns has found. Returns the critical path, and what the run
    /// would be shorter by without each loss.
    pub fn conclude(&mut self, replay: Replay) -> (CriticalPath, Savings) {
        let severities = self.detectors.wait_states.severities_mut();
        self.detectors.delay.conclude(replay, severities)
    }

    /// Call paths of all threads, by their common numbers.
    pub fn paths(&self) -> &CallPaths {
        &self.paths
    }

    /// For call paths that no event has.
    pub fn paths_mut(&mut self) -> &mut CallPaths {
        &mut self.paths
    }

    /// Results of all detectors.
    pub fn detectors(&self) -> &Detectors {
        &self.detectors
    }

    /// Time lost by pattern, call path and thread so far.
    pub fn severities(&self) -> &Severities {
        self.detectors.wait_states.severities()
    }

    /// By thread: how many barriers and collective operations it has left.
    pub fn reached(&self) -> &[SyncCount] {
        self.synchronisations.reached()
    }

    /// Tasks and channels.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Clocks of the threads.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Lock events of all threads, and the owner of every lock.
    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// Synchronisations of a kind that every thread has left.
    pub fn completed(&self, kind: Matched) -> u64 {
        self.synchronisations.completed(kind)
    }

    /// Synchronisations of a kind that some threads recorded, while recording was off on others.
    pub fn partial(&self, kind: Matched) -> Unmatched {
        self.synchronisations.partial(kind)
    }

    /// Waits in collective operations of groups of which not all members are known.
    pub fn unmatched_in_groups(&self) -> u64 {
        self.postings.unmatched_in_groups()
    }

    /// By thread: synchronisations of a kind that it left and others never reached.
    pub fn unmatched(&self, kind: Matched) -> Vec<Unmatched> {
        self.synchronisations.unmatched(kind).collect()
    }
}

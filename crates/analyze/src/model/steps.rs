//! Steps of a thread: its synchronisation points in order, each with the number of its instance
//! and with what the thread did since the one before.

use pgas_earl::{Matched, PathId, SyncCount, SyncPoint, SyncPointKind};
use serde::{Deserialize, Serialize};

use crate::model::paths::CallPaths;

/// A synchronisation point, and how many entries of activity lie before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Ticks.
    pub time: u64,
    /// The kind of synchronisation point, with the number of its instance.
    pub kind: StepKind,
    /// Number of entries of [`Steps::activity`] that belong to it.
    pub entries: u32,
}

/// As [`SyncPointKind`], with the number of the instance in place of what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    /// The thread comes to a barrier or a collective operation of this number.
    Arrive(Matched, u64),
    /// The thread leaves a barrier or a collective operation of this number.
    Leave(Matched, u64),
    /// The thread goes on, whatever others do.
    Begin,
    /// The thread has taken a lock.
    Acquired {
        /// Number of the acquisition among those of this thread.
        number: u64,
        /// The lock, by the number that it has on all threads.
        lock: u64,
        /// Ticks of the Enter of the operation.
        begin: u64,
    },
    /// The thread enters `upc_unlock`.
    Released {
        /// Number of the release among those of this thread.
        number: u64,
        /// The lock, by the number that it has on all threads.
        lock: u64,
        /// Call path of the `upc_unlock`.
        path: PathId,
    },
    /// The thread writes what others may wait for, or posts.
    Posted {
        /// Number of the post among those of this thread.
        number: u64,
    },
    /// The thread has waited for a post.
    Awaited {
        /// Number of the wait among those of this thread.
        number: u64,
    },
    /// The last event of the stream.
    End,
}

/// Steps of one stretch of time.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Steps {
    /// In the order of the thread.
    pub steps: Vec<Step>,
    /// Of all steps, one after the other.
    pub activity: Vec<(PathId, u64)>,
}

impl Steps {
    /// Adds a step at `time` (ticks), before which the thread spent `activity`: ticks by call path.
    pub fn push(&mut self, time: u64, kind: StepKind, activity: &[(PathId, u64)]) {
        self.activity.extend_from_slice(activity);
        let entries = activity.len() as u32;
        self.steps.push(Step {
            time,
            kind,
            entries,
        });
    }

    /// From the thread's own numbers of call paths to common ones.
    pub fn translate(&mut self, thread: usize, paths: &CallPaths) {
        for (path, _) in &mut self.activity {
            *path = paths.translate(thread, *path);
        }
        for step in &mut self.steps {
            if let StepKind::Released { path, .. } = &mut step.kind {
                *path = paths.translate(thread, *path);
            }
        }
    }
}

/// Counts the instances of one thread, as the queues do that match them.
#[derive(Debug, Default)]
pub struct Numbering(SyncCount);

impl Numbering {
    /// The step of a synchronisation point. Without `numbered`, instances cannot be matched any
    /// more.
    pub fn step(&mut self, point: SyncPoint, numbered: bool) -> StepKind {
        match point.kind {
            SyncPointKind::Arrive(_) | SyncPointKind::Leave(_) if !numbered => StepKind::Begin,
            SyncPointKind::Arrive(matched) => StepKind::Arrive(matched, self.0.of(matched)),
            SyncPointKind::Leave(matched) => {
                let number = self.0.of(matched);
                self.0.add(SyncCount::one(matched));
                StepKind::Leave(matched, number)
            }
            SyncPointKind::Begin => StepKind::Begin,
            SyncPointKind::Acquired {
                number,
                lock,
                begin,
            } => StepKind::Acquired {
                number,
                lock,
                begin,
            },
            SyncPointKind::Released { number, lock, path } => {
                StepKind::Released { number, lock, path }
            }
            SyncPointKind::Posted { number } => StepKind::Posted { number },
            SyncPointKind::Awaited { number } => StepKind::Awaited { number },
            SyncPointKind::End => StepKind::End,
        }
    }

    /// Passes instances of which there are no events.
    pub fn skip(&mut self, count: SyncCount) {
        self.0.add(count);
    }
}

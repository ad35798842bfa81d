//! Contributions of threads to compound events.

use pgas_earl::{
    Completion, FlagWaitBegin, LockAcquisition, LockRelease, Numbered, Post, PostWait, SyncInstance,
};
use serde::{Deserialize, Serialize};

use super::calls::Mark;
use super::epochs::Epochs;
use super::tasks::TaskRecord;
use crate::model::paths::Discovered;
use crate::model::steps::Steps;

/// A change of a lock's owner, in the order of the thread's events.
#[derive(Debug, Serialize, Deserialize)]
pub enum LockRecord {
    /// The thread took a lock.
    Acquired(LockAcquisition),
    /// The thread gave a lock back.
    Released(LockRelease),
}

/// A post, or a part of a wait for one, in the order of the thread's events.
#[derive(Debug, Serialize, Deserialize)]
pub enum PostRecord {
    /// The thread began to wait for a flag.
    Begins(FlagWaitBegin),
    /// The thread wrote what others may wait for, or posted.
    Posted(Post),
    /// The thread has waited.
    Awaited(PostWait),
}

/// A synchronisation that all threads have left, and the activity of each before and within it.
pub type Instance = SyncInstance<Epochs>;

/// Contribution of one thread to compound events in one stretch of time; paths are the thread's
/// own.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Batch {
    /// Sites and call paths that the thread used for the first time.
    pub discovered: Discovered,
    /// Barriers and collective operations in the order of the thread, and its activity before and
    /// within each.
    pub synchronisations: Vec<Numbered<Epochs>>,
    /// Locks taken and given back, in the order of the thread.
    pub locks: Vec<LockRecord>,
    /// Posts and waits for them, in the order of the thread.
    pub posts: Vec<PostRecord>,
    /// Waits for the thread's own transfers, in its order.
    pub completions: Vec<Completion>,
    /// The thread's synchronisation points, and its activity between them.
    pub steps: Steps,
    /// Tasks and their operations, in the order in which they were over.
    pub tasks: Vec<TaskRecord>,
    /// Ticks; an operation of a task that began then is not over, and comes later.
    pub tasks_since: Option<u64>,
    /// About calls of functions and regions.
    pub marks: Vec<Mark>,
    /// No barrier or collective operation that has a number comes after this batch.
    pub numbers_end: bool,
}

impl Batch {
    /// Empties it; its memory is kept.
    pub fn clear(&mut self) {
        self.discovered.sites.clear();
        self.discovered.nodes.clear();
        self.synchronisations.clear();
        self.locks.clear();
        self.posts.clear();
        self.completions.clear();
        self.steps.steps.clear();
        self.steps.activity.clear();
        self.tasks.clear();
        self.tasks_since = None;
        self.marks.clear();
        self.numbers_end = false;
    }

    /// Gets room for as much as another one holds, if it never had any. Buffers that grow while one
    /// core fills them and another one releases what it has used make both wait for the
    /// allocator.
    pub(crate) fn make_room(&mut self, other: &Batch) {
        make_room(&mut self.synchronisations, &other.synchronisations);
        make_room(&mut self.locks, &other.locks);
        make_room(&mut self.posts, &other.posts);
        make_room(&mut self.completions, &other.completions);
        make_room(&mut self.tasks, &other.tasks);
        make_room(&mut self.steps.steps, &other.steps.steps);
        make_room(&mut self.steps.activity, &other.steps.activity);
    }
}

fn make_room<T>(buffer: &mut Vec<T>, other: &[T]) {
    if buffer.capacity() == 0 {
        buffer.reserve_exact(other.len() + other.len() / 8);
    }
}

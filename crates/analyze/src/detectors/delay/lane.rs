//! One thread of the replay: its steps that are to come, and the state that past ones have left.

use std::collections::VecDeque;

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;

use super::handovers::Handovers;
use super::history::History;
use super::posts::Posts;
use super::stretches::StretchId;
use super::together::Together;
use crate::model::steps::{Step, Steps};

/// One thread.
#[derive(Debug)]
pub(super) struct Lane {
    /// Not replayed yet.
    pub steps: VecDeque<Step>,
    /// Of these steps, from `next` on.
    pub activity: Vec<(PathId, u64)>,
    pub next: usize,
    /// Ticks of the last step that was replayed; `None` before the first.
    pub now: Option<u64>,
    /// End of its chain; `None` when the thread has ended.
    pub tip: Option<StretchId>,
    pub history: History,
    pub together: Together,
    /// Locks that came from other threads.
    pub handovers: Handovers,
    /// Waits that posts of other threads ended.
    pub awaited: Handovers,
    pub posts: Posts,
    /// Locks that it has, and when it began to ask for them.
    pub held: Vec<(u64, u64)>,
    /// How many locks it has given back.
    pub released: u64,
    /// Releases for which nobody waited; those of them that are not replayed yet.
    pub unwanted: VecDeque<u64>,
    /// Threads that wait for the release of a lock, and its number.
    pub blocked: Vec<(u64, ThreadId)>,
    /// The thread without whose next steps this one cannot go on.
    pub waits_for: Option<ThreadId>,
    /// The next step is replayed as if the thread had waited for nobody.
    pub forced: bool,
}

impl Lane {
    /// A thread that has not begun, whose chain ends in `tip`.
    pub fn new(tip: StretchId) -> Self {
        Lane {
            steps: VecDeque::new(),
            activity: Vec::new(),
            next: 0,
            now: None,
            tip: Some(tip),
            history: History::default(),
            together: Together::default(),
            handovers: Handovers::default(),
            awaited: Handovers::default(),
            posts: Posts::default(),
            held: Vec::new(),
            released: 0,
            unwanted: VecDeque::new(),
            blocked: Vec::new(),
            waits_for: None,
            forced: false,
        }
    }

    /// Adds steps; `steps` is empty afterwards.
    pub fn add(&mut self, steps: &mut Steps) {
        self.steps.extend(steps.steps.drain(..));
        // The remaining entries are moved no more often than entries are added.
        if 2 * self.next >= self.activity.len() {
            self.activity.drain(..std::mem::take(&mut self.next));
        }
        self.activity.append(&mut steps.activity);
    }
}

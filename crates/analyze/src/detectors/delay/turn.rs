//! Input of the replay for one stretch of time. It is complete in itself, so that one core may
//! replay it while another one judges the next stretch.

use pgas_earl::{Awaited, LockHandover, Matched, PostId};
use pgas_trace::model::ThreadId;

use super::Wait;
use super::gains::Places;
use super::instances::Judged;
use super::what_if::PathClass;
use crate::detectors::tasks::idle::IdlePeriod;
use crate::detectors::{Passed, Progress};
use crate::model::steps::Steps;

/// A lock that came from one thread to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handed {
    pub lock: u64,
    /// The new owner, and the number of its acquisition.
    pub next: (ThreadId, u64),
    /// The owner before, and the number of its release.
    pub previous: (ThreadId, u64),
    pub wait: Option<Wait>,
}

/// A wait for a post.
#[derive(Debug, Clone, Copy)]
pub(super) struct PostAwaited {
    /// The thread that waited, and the number of its wait.
    pub next: (ThreadId, u64),
    /// The post that ended the wait.
    pub post: PostId,
    pub wait: Option<Wait>,
}

/// Steps, waits and lock hand-overs of one stretch of time. An empty one keeps its memory for the
/// next.
#[derive(Debug, Default)]
pub struct Turn {
    /// By thread. Paths are those of the common tree.
    pub(super) steps: Vec<Steps>,
    pub(super) judged: Vec<(Matched, u64, Judged)>,
    pub(super) handed: Vec<Handed>,
    pub(super) awaited: Vec<PostAwaited>,
    /// Posts that may have ended a wait, and those of them that did not; one entry for each wait.
    pub(super) wanted: Vec<PostId>,
    pub(super) unwanted: Vec<PostId>,
    /// No instance before these will be judged any more.
    pub(super) barriers: Passed,
    pub(super) collectives: Passed,
    pub(super) horizon: u64,
    pub(super) ended: bool,
    /// Of call paths that are new, in the order of their numbers.
    pub(super) classes: Vec<PathClass>,
    /// Memory for waits.
    pub(super) spare: Vec<Vec<Wait>>,
}

impl Turn {
    /// Takes the steps of a thread; `steps` is empty afterwards.
    pub fn steps(&mut self, thread: ThreadId, steps: &mut Steps) {
        let thread = thread as usize;
        if thread >= self.steps.len() {
            self.steps.resize_with(thread + 1, Steps::default);
        }
        // One that is handed back was emptied.
        std::mem::swap(&mut self.steps[thread], steps);
    }

    /// Takes the waits at an instance that all threads have left. `together` is when the last one
    /// came, in ticks, if no thread could leave before; `places` are its call paths.
    pub fn judge(
        &mut self,
        (matched, number): (Matched, u64),
        waits: &[Wait],
        together: Option<u64>,
        places: Places,
    ) {
        let mut own = self.spare.pop().unwrap_or_default();
        own.extend_from_slice(waits);
        let judged = Judged::new(own, together, places);
        self.judged.push((matched, number, judged));
    }

    /// Takes the hand-over of a lock, and the new owner's wait for the one before.
    pub fn handover(&mut self, handover: &LockHandover, wait: Option<Wait>) {
        if let Some(previous) = handover.previous {
            self.handed.push(Handed {
                lock: previous.record.lock,
                next: (handover.thread, handover.acquisition.number),
                previous: (previous.thread, previous.record.number),
                wait,
            });
        }
    }

    /// Takes a wait for a post of another thread, and the time that was lost.
    pub fn awaited(&mut self, awaited: &Awaited, wait: Option<Wait>) {
        if let Some(post) = awaited.post {
            self.awaited.push(PostAwaited {
                next: (awaited.thread, awaited.wait.number),
                post: post.id(),
                wait,
            });
        }
    }

    /// Takes an idle period of a processor, and the time that was lost to one other processor. All
    /// of the time until a task could run again is waiting.
    pub fn idle(&mut self, period: &IdlePeriod, lost: Option<Wait>) {
        let (Some(wake), Some(until)) = (period.wake, period.woken()) else {
            return;
        };
        let Some(post) = wake.post else { return };
        let (begin, path) = (period.wait.span.begin, period.wait.path);
        let nothing = Wait {
            thread: period.thread,
            late: wake.thread,
            pattern: 0,
            path,
            begin,
            end: until,
            ticks: 0,
            spent: (path, 0),
        };
        let spent = (path, period.ticks_until(until));
        let wait = Wait {
            spent,
            ..lost.unwrap_or(nothing)
        };
        self.awaited.push(PostAwaited {
            next: (period.thread, period.wait.number),
            post,
            wait: Some(wait),
        });
    }

    /// A wait may have been ended by this post.
    pub fn want(&mut self, post: PostId) {
        self.wanted.push(post);
    }

    /// The wait was ended by another one.
    pub fn drop_post(&mut self, post: PostId) {
        self.unwanted.push(post);
    }

    /// Takes the class of the next call path.
    pub fn learn(&mut self, class: PathClass) {
        self.classes.push(class);
    }

    /// States how far everything is judged now.
    pub fn end(&mut self, progress: &Progress) {
        self.barriers = progress.barriers;
        self.collectives = progress.collectives;
        self.horizon = progress.settled;
        self.ended = progress.ended;
    }
}

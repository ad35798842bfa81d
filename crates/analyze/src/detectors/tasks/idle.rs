//! An idle period of a processor, and the event that ended it.

use pgas_earl::{PathId, PostId, PostWait, Span};
use pgas_trace::model::ThreadId;

/// A processor had no task that could run.
#[derive(Debug, Clone, PartialEq)]
pub struct IdlePeriod {
    /// The processor.
    pub thread: ThreadId,
    /// When, and the call path of the idle time.
    pub wait: PostWait,
    /// Parts in which tasks that could run waited for other processors, in order.
    pub others_ready: Vec<Span>,
    /// The event that made a task of the processor able to run; `None` if the trace has none.
    pub wake: Option<Wake>,
    /// The operation in which that task had waited; `None` if it was new, or had let others run.
    pub waited_in: Option<WaitedIn>,
}

/// An operation in which a task waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitedIn {
    /// The task.
    pub task: u64,
    /// Its call path.
    pub path: PathId,
    /// For a place in the channel; otherwise for a message.
    pub to_send: bool,
}

/// An operation that made a waiting task able to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wake {
    /// The processor on which it was executed.
    pub thread: ThreadId,
    /// The task that executed it.
    pub task: Option<u64>,
    /// Ticks of its end, when all of its effects can be seen.
    pub time: u64,
    /// Call path of the operation.
    pub path: PathId,
    /// The post that it is.
    pub post: Option<PostId>,
}

impl IdlePeriod {
    /// Ticks at which the task could run; `None` if that is not known.
    pub fn woken(&self) -> Option<u64> {
        let span = self.wait.span;
        let wake = self.wake?;
        Some(wake.time.clamp(span.begin, span.end))
    }

    /// Ticks from the begin of the period to `until`, without regions inside of it.
    pub fn ticks_until(&self, until: u64) -> u64 {
        let begin = self.wait.span.begin;
        let nested = self.wait.nested.iter();
        let inside = nested.map(|span| span.end.min(until).saturating_sub(span.begin.max(begin)));
        until.saturating_sub(begin).saturating_sub(inside.sum())
    }
}

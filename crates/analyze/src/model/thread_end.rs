//! Where each thread was when its trace ended: whether it left the program, or is in an operation
//! that others did not come to. One small record for each thread, which the remarks about threads
//! that disagree are made from.

use pgas_earl::operation::is_collective;
use pgas_earl::{BarrierRecord, CollectiveRecord, LockAcquisition, PathId, PostWait, Walker};
use pgas_trace::model::{Attributes, Operation};
use serde::{Deserialize, Serialize};

/// A synchronising operation that a thread had entered, and did not leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stand {
    /// Call path of the operation.
    pub path: PathId,
    /// Ticks of its Enter.
    pub since: u64,
    /// Of `upc_lock`.
    pub lock: Option<u64>,
    /// Of a barrier or the notify before a wait, if it has one.
    pub value: Option<i32>,
}

/// How a thread's trace ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// With the end of the program, or with nothing open.
    Left,
    /// Inside of an operation that other threads are needed for.
    Stands(Stand),
    /// Inside of this region, at any moment: the trace was cut, or the thread killed.
    Cut(PathId),
    /// In the program's own code, when others ended the program.
    Ended,
}

/// Takes operations that a thread did not come out of away from those that it completed.
#[derive(Debug)]
pub struct Interruption {
    /// Last ticks before the thread was ended; the largest possible if it was not.
    after: u64,
    stand: Option<Stand>,
}

impl Interruption {
    /// For a thread that was ended after that time (ticks); `None` for one that was not.
    pub fn new(after: Option<u64>) -> Self {
        Interruption {
            after: after.unwrap_or(u64::MAX),
            stand: None,
        }
    }

    /// Ticks from which on nothing that ends did really; the largest possible if the thread was not
    /// ended.
    pub fn begin(&self) -> u64 {
        self.after.saturating_add(1)
    }

    /// Whether what ends then (ticks) did not really.
    pub fn covers(&self, time: u64) -> bool {
        time > self.after
    }

    /// Whether the thread never left this barrier.
    pub fn barrier(&mut self, record: &BarrierRecord) -> bool {
        self.note(record.span.end, || Stand {
            path: record.path,
            since: record.span.begin,
            lock: None,
            value: record.value,
        })
    }

    /// Whether the thread never left this operation.
    pub fn collective(&mut self, record: &CollectiveRecord) -> bool {
        self.note(record.span.end, || Stand {
            path: record.path,
            since: record.span.begin,
            lock: None,
            value: None,
        })
    }

    /// Whether the thread never got this lock.
    pub fn acquired(&mut self, record: &LockAcquisition) -> bool {
        self.note(record.span.end, || Stand {
            path: record.path,
            since: record.span.begin,
            lock: Some(record.lock),
            value: None,
        })
    }

    /// Whether the thread never got what it waited for.
    pub fn awaited(&mut self, wait: &PostWait) -> bool {
        self.note(wait.span.end, || Stand {
            path: wait.path,
            since: wait.span.begin,
            lock: None,
            value: None,
        })
    }

    /// Notes an operation. The operation that is left last encloses the others, as the end of the
    /// program encloses its barrier.
    fn note(&mut self, end: u64, stand: impl FnOnce() -> Stand) -> bool {
        let interrupted = self.covers(end);
        if interrupted {
            self.stand = Some(stand());
        }
        interrupted
    }

    /// How the trace ends that was walked to its end; `names` are the common numbers of its paths.
    pub fn end(&self, walker: &Walker, names: &[PathId]) -> End {
        let stand = self.stand.or_else(|| stands(walker));
        if let Some(stand) = stand {
            return End::Stands(Stand {
                path: names[stand.path.index()],
                ..stand
            });
        }
        if walker.position().program_ended {
            End::Left
        } else if walker.depth() > 0 {
            End::Cut(names[walker.current_path().index()])
        } else if self.after != u64::MAX {
            End::Ended
        } else {
            End::Left
        }
    }
}

/// The outermost synchronising operation that is open.
fn stands(walker: &Walker) -> Option<Stand> {
    let waits = |operation| {
        matches!(
            operation,
            Operation::Barrier | Operation::Wait | Operation::Lock
        ) || is_collective(operation)
    };
    let open = walker.open_regions().find(|open| waits(open.operation))?;
    Some(Stand {
        path: open.path,
        since: open.enter,
        lock: match open.attributes {
            Attributes::Lock { lock } => Some(lock),
            _ => None,
        },
        value: match open.attributes {
            Attributes::Barrier { value } => value,
            _ => None,
        },
    })
}

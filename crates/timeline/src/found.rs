//! The instance that was looked for, with its waits.

use crate::subjects::Subject;
use crate::waits::Wait;

/// The instance, and what else was waited for around it.
#[derive(Debug, Default)]
pub struct Found {
    /// Those of the instance at the call path in question: what the analysis counted.
    pub own: Vec<Wait>,
    /// Those of other patterns, call paths and instances.
    pub others: Vec<Wait>,
    /// When the thread that was waited for was last free of any other: it left the operation before, or it asked for the
    /// lock. In ticks; `None` if that is not known.
    pub cause_begin: Option<u64>,
}

/// Whether a wait is of the pattern and the call path in question.
pub fn is_own(subject: &Subject, wait: &Wait) -> bool {
    Some(wait.pattern) == subject.pattern && wait.charge.path == subject.path()
}

/// Whether waits are those that the analysis has found.
pub fn is_it(subject: &Subject, own: &[Wait]) -> bool {
    let ticks: u64 = own.iter().map(|wait| wait.charge.ticks).sum();
    let begin = own.iter().map(|wait| wait.charge.begin).min();
    // Seconds are exact enough to give the same ticks again.
    begin == Some(subject.begin) && ticks == subject.waited
}

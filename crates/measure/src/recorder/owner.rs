//! The thread and the process that a recorder is of.

use std::sync::atomic::Ordering;

use super::Recorder;

impl Recorder {
    /// Whether the calling process is the recorder's, and not a child with a copy of it.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// Whether this is the copy in the child of a fork that ran no handlers: its buffers are still
    /// those of the parent.
    pub(crate) fn is_a_copy(&self) -> bool {
        self.gate.limit.load(Ordering::Relaxed) == 0 && !self.is_of_this_process()
    }

    /// Whether the calling thread is the recorder's.
    pub(crate) fn is_mine(&self) -> bool {
        // SAFETY: no arguments, cannot fail.
        self.owner == unsafe { libc::gettid() }
    }
}

//! Connections of a process to all others of its program.

use std::sync::Arc;

/// Bytes at the begin of a frame that are the wire's own.
pub(crate) const HEAD: usize = 8;

/// Takes frames that arrive from a process, and `None` when it is gone.
pub(crate) type Arrive = Arc<dyn Fn(u32, Option<&[u8]>) + Send + Sync>;

/// Carries frames between processes, in order.
pub(crate) trait Wire: Send + Sync {
    /// Sends a frame, which begins with [`HEAD`] bytes for the wire, and does not wait. Frames to a
    /// process that is gone are dropped.
    fn send(&self, to: u32, frame: Vec<u8>);

    /// Begins to give frames to `arrive`: those of each process one after another.
    fn listen(&self, arrive: Arrive);

    /// Waits until all frames have left this process.
    fn flush(&self);
}

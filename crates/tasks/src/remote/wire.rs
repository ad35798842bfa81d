//! Connections of a process to all others of its program.

use std::sync::Arc;

/// Bytes at the begin of a frame that are the wire's own.
pub(crate) const HEAD: usize = 8;

/// Takes frames that arrive from a process.
pub(crate) trait Intake: Send + Sync {
    /// Takes a frame, after those of other processes that it says must come before: waits for them.
    fn take(&self, from: u32, frame: &[u8]);

    /// As `take`, but returns false instead of waiting, for wires with one thread for all.
    #[cfg(feature = "mpi")]
    fn try_take(&self, from: u32, frame: &[u8]) -> bool;

    /// The process is gone.
    fn lost(&self, from: u32);
}

/// What takes frames.
pub(crate) type Arrive = Arc<dyn Intake>;

/// Carries frames between processes, in order.
pub(crate) trait Wire: Send + Sync {
    /// Sends a frame, which begins with [`HEAD`] bytes for the wire, and does not wait. Frames to a
    /// process that is gone are dropped.
    fn send(&self, to: u32, frame: Vec<u8>);

    /// Begins to give frames to `arrive`: those of each process one after another.
    fn listen(&self, arrive: Arrive);

    /// Waits until all frames have left this process.
    fn flush(&self);

    /// Ends the connections.
    fn close(&self) {}
}

//! The threads that time an operation together, each seen from one of them.

/// One thread's view of all threads: its clock, and messages to the others.
///
/// Messages are short and are sent between launches only, never while an operation is timed.
pub trait Processes {
    /// Number of this thread, from 0.
    fn thread(&self) -> usize;

    /// Number of all threads.
    fn threads(&self) -> usize;

    /// Number of the node that a thread runs on. Threads of a node may share a clock.
    fn node(&self, thread: usize) -> usize;

    /// Seconds on this thread's own clock, read after everything before it is done. Clocks of
    /// different threads may begin anywhere and run at slightly different rates.
    fn now(&self) -> f64;

    /// Sends words to another thread. Returns when they may be changed, which may be before they
    /// arrive. Words of one sender arrive in order.
    fn send(&self, to: usize, words: &[u64]);

    /// Waits for the next words of another thread, which sent as many.
    fn receive(&self, from: usize, words: &mut [u64]);

    /// Waits until this thread's clock shows the time; returns at once if it has passed.
    fn wait_until(&self, time: f64) {
        while self.now() < time {
            std::hint::spin_loop();
        }
    }

    /// The programming model's own barrier, which other methods than this one use.
    fn barrier(&self);
}

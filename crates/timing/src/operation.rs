//! The operation that is timed.

/// One operation with its arguments and buffers, as one thread performs it.
///
/// All threads call the same functions in the same order.
pub trait Operation {
    /// Prepares a launch; not timed.
    fn ready(&mut self, launch: u64);

    /// Performs the operation; timed. Launches rotate through the buffers.
    fn run(&mut self, launch: u64);

    /// Tidies up after a launch; not timed.
    fn done(&mut self, launch: u64);

    /// Threads wait for each other in it, as in all collective operations. If not, the time of
    /// the threads does not depend on how exactly they started together, nor on clocks' errors.
    fn waits(&self) -> bool {
        true
    }

    /// It has the two halves below, so that its overlap with computation can be measured.
    fn has_halves(&self) -> bool {
        false
    }

    /// First half of an operation that can go on in the background; `run` is both halves.
    fn start(&mut self, launch: u64) {
        self.run(launch);
    }

    /// Waits for the end of what `start` began.
    fn complete(&mut self, _launch: u64) {}
}

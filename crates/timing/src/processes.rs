//! The threads that time an operation together, each seen from one of them.

use crate::computation;
use std::time::Instant;

/// Words of one message at most.
pub const MESSAGE_WORDS: usize = 64;

/// One thread's view of all threads: its clock, and messages to the others.
///
/// Messages are short and are sent between launches only, never while an operation is timed.
pub trait Processes {
    /// Number of this thread, from 0.
    fn thread(&self) -> usize;

    /// Number of all threads.
    fn threads(&self) -> usize;

    /// Number of the node that a thread runs on. Threads of a node share a clock, unless the
    /// timer is the model's own or all clocks are to be compared: [`Processes::now`] of theirs
    /// must then agree to the last digit, so a rate that was calibrated must be the same for all
    /// processes of the node.
    fn node(&self, thread: usize) -> usize;

    /// Seconds on this thread's own clock, read after everything before it is done. Clocks of
    /// different threads may begin anywhere and run at slightly different rates. An `f64` holds
    /// nanoseconds of 100 days; clocks that count from further away must be shifted, by the same
    /// on all threads of a node.
    fn now(&self) -> f64;

    /// Each thread has a core of its own. Without, threads let others run while they wait. Asked
    /// often, so it must be known beforehand.
    fn have_cores(&self) -> bool {
        true
    }

    /// Keeps the core busy for some seconds by a clock that is not the one under test.
    fn spin(&self, seconds: f64) {
        let begin = Instant::now();
        while begin.elapsed().as_secs_f64() < seconds {
            std::hint::spin_loop();
        }
    }

    /// Computes what takes some seconds of a core that nothing else needs, and longer on one that
    /// something else does. The first call also finds out how fast the core is.
    fn compute(&self, seconds: f64) {
        computation::perform(seconds);
    }

    /// Sends 1 to [`MESSAGE_WORDS`] words to another thread. Returns when they may be changed,
    /// which may be before they arrive. Words of one sender arrive in order.
    fn send(&self, to: usize, words: &[u64]);

    /// Waits for the next words of another thread, which sent as many. Does not let others have
    /// the core before an answer of the network could be there, since round trips compare clocks.
    fn receive(&self, from: usize, words: &mut [u64]);

    /// Waits until this thread's clock shows the time; returns at once if it has passed. Without
    /// the processor's hint that this is a loop of waiting: a virtual machine's host takes the core
    /// of a thread that gives it often, and on others it makes starts late by up to 50 ns.
    fn wait_until(&self, time: f64) {
        let yields = !self.have_cores();
        while self.now() < time {
            if yields {
                std::thread::yield_now();
            }
        }
    }

    /// The programming model's own barrier, which other methods than this one use.
    fn barrier(&self);
}

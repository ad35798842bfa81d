//! Time that the program measures.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::time::Duration;

use crate::error::MetricError;
use crate::recorder::functions;
use crate::registration::{Kind, register};

/// The time for which the program lets it run, of its own for each thread. It stands still at
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timer(c_int);

impl Timer {
    /// Registers a timer, or finds the one with this name.
    ///
    /// # Errors
    /// If the name is not one of 1 to [`LONGEST_NAME`](crate::LONGEST_NAME) bytes, if a counter has
    /// it, or if [`MOST_METRICS`](crate::MOST_METRICS) are registered.
    pub fn new(name: &str) -> Result<Self, MetricError> {
        register(name, Kind::Timer).map(Timer)
    }

    pub(crate) fn of(number: c_int) -> Self {
        Timer(number)
    }

    /// Starts the calling thread's timer. One that runs goes on.
    #[inline]
    pub fn start(self) {
        self.run(1);
    }

    /// Stops the calling thread's timer, if it runs.
    #[inline]
    pub fn stop(self) {
        self.run(0);
    }

    /// Starts the timer, and stops it when the scope is dropped. Scopes of one timer do not nest:
    /// the end of the inner one stops it.
    #[inline]
    pub fn scope(self) -> TimerScope {
        self.start();
        TimerScope {
            timer: self,
            of_thread: PhantomData,
        }
    }

    /// The calling thread's time so far; 0 if nothing is measured.
    #[inline]
    pub fn elapsed(self) -> Duration {
        let nanoseconds = functions().value.map_or(0, |value| value(self.0));
        Duration::from_nanos(nanoseconds)
    }

    #[inline]
    fn run(self, is_running: c_int) {
        if let Some(run) = functions().run {
            run(self.0, is_running);
        }
    }
}

/// Lets a timer run until it is dropped, by a panic or an early return, too. It stays on its
/// thread, whose timer it is.
#[derive(Debug)]
#[must_use = "the timer stops when this is dropped: `let _running = timer.scope();`"]
pub struct TimerScope {
    timer: Timer,
    of_thread: PhantomData<*const ()>,
}

impl Drop for TimerScope {
    #[inline]
    fn drop(&mut self) {
        self.timer.stop();
    }
}

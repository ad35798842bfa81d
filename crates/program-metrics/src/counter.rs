//! A number that the program sets.

use std::ffi::c_int;

use crate::error::MetricError;
use crate::recorder::functions;
use crate::registration::{Kind, register};
use crate::timer::Timer;

/// A number of 64 bits without a sign that the program sets, of its own for each thread. It wraps
/// around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter(c_int);

impl Counter {
    /// Registers a counter, or finds the one with this name. It begins with 0.
    ///
    /// # Errors
    /// If the name is not one of 1 to [`LONGEST_NAME`](crate::LONGEST_NAME) bytes, if a timer has
    /// it, or if [`MOST_METRICS`](crate::MOST_METRICS) are registered.
    pub fn new(name: &str) -> Result<Self, MetricError> {
        register(name, Kind::Counter).map(Counter)
    }

    /// A counter without a name of its own: "metric 7".
    ///
    /// # Errors
    /// As for [`Counter::new`].
    pub fn numbered(number: u32) -> Result<Self, MetricError> {
        Counter::new(&format!("metric {number}"))
    }

    /// Sets the calling thread's value.
    #[inline]
    pub fn set(self, value: u64) {
        if let Some(set) = functions().set {
            set(self.0, value);
        }
    }

    /// Adds to the calling thread's value, modulo 2^64.
    #[inline]
    pub fn add(self, number: u64) {
        if let Some(add) = functions().add {
            add(self.0, number);
        }
    }

    /// Subtracts from the calling thread's value, modulo 2^64.
    #[inline]
    pub fn subtract(self, number: u64) {
        self.add(number.wrapping_neg());
    }

    /// The calling thread's value; 0 if nothing is measured.
    #[inline]
    pub fn value(self) -> u64 {
        functions().value.map_or(0, |value| value(self.0))
    }

    /// Attaches a timer: from now on the metric counts the nanoseconds for which it runs, beside
    /// the value that it has. Threads that have used the counter before attach it each for itself.
    pub fn attach(self) -> Timer {
        if let Some(attach) = functions().attach {
            attach(self.0);
        }
        Timer::of(self.0)
    }
}

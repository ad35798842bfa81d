//! Addresses of shared data: what a transfer says about its two sides besides the threads, if the
//! recorder was asked for it.
//!
//! Addresses tell whether accesses walk through an array, meet each other, or touch what another
//! thread has written.

use std::fmt;
use std::num::NonZeroU64;

/// Place of shared data within the shared memory of the thread that it has affinity to: equal on
/// all threads for the same byte. Consecutive bytes of one thread have consecutive addresses; equal
/// addresses of different threads mean different data. It is not where the data lies in the memory
/// of any process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(NonZeroU64);

impl Address {
    /// `None` for 0, which stands for no address in files and in the recorder's C interface.
    #[inline(always)]
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Address(number)),
            None => None,
        }
    }

    /// The address as a number, never 0.
    #[inline(always)]
    pub const fn number(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// In hexadecimal, as `0x1f40`.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

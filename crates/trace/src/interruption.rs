//! Request to stop, which readers of long traces poll. Reading then returns an error, after which
//! the caller cleans up as after any other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// Whether to stop. Copies are the same one, on all threads; a handler of signals can set it.
#[derive(Debug, Clone, Default)]
pub struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// One that `flag` stands for: to stop once it is true.
    pub fn of(flag: Arc<AtomicBool>) -> Self {
        Interruption(flag)
    }

    /// Asks all readers that hold a copy to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether readers are to stop.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// [`Error::Interrupted`] if it was requested.
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        if self.is_requested() {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }
}

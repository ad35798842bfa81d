//! Events of tasks and channels for an observer, such as a recorder.
//!
//! Without the feature `observe`, operations do not even ask whether there is an observer. With it,
//! `observe` installs one for the process. Observers run in the middle of operations: they must be
//! short, and must not use channels.

pub use crate::events::{Call, Event, Observer};

#[cfg(feature = "observe")]
mod on {
    use std::sync::OnceLock;

    use super::{Event, Observer};
    #[cfg(feature = "record")]
    use crate::record;

    static OBSERVER: OnceLock<Box<dyn Observer>> = OnceLock::new();

    /// Installs the observer of this process. It stays until the process ends.
    ///
    /// # Errors
    /// Returns the observer if there is one already.
    pub fn observe(observer: Box<dyn Observer>) -> Result<(), Box<dyn Observer>> {
        OBSERVER.set(observer)
    }

    /// When an operation began, if it is recorded.
    #[derive(Clone, Copy)]
    pub(crate) struct Began(#[cfg(feature = "record")] u64);

    /// An operation begins.
    #[inline]
    pub(crate) fn begin() -> Began {
        Began(
            #[cfg(feature = "record")]
            record::now(),
        )
    }

    /// An operation that began then is over.
    #[inline]
    pub(crate) fn emit_since(began: Began, event: impl FnOnce() -> Event) {
        let observer = OBSERVER.get();
        if observer.is_none() && !is_recorded() {
            return;
        }
        let event = event();
        if let Some(observer) = observer {
            observer.event(&event);
        }
        pass_on(began, &event);
    }

    /// Something happens now.
    #[inline]
    pub(crate) fn emit(event: impl FnOnce() -> Event) {
        emit_since(begin_of_none(), event);
    }

    #[inline]
    fn begin_of_none() -> Began {
        Began(
            #[cfg(feature = "record")]
            0,
        )
    }

    #[cfg(feature = "record")]
    #[inline]
    fn is_recorded() -> bool {
        record::is_on()
    }

    #[cfg(not(feature = "record"))]
    #[inline(always)]
    fn is_recorded() -> bool {
        false
    }

    #[cfg(feature = "record")]
    #[inline]
    fn pass_on(began: Began, event: &Event) {
        record::event(began.0, event);
    }

    #[cfg(not(feature = "record"))]
    #[inline(always)]
    fn pass_on(_began: Began, _event: &Event) {}
}

/// Nothing: there is no observer.
#[cfg(not(feature = "observe"))]
mod off {
    use super::Event;

    #[derive(Clone, Copy)]
    pub(crate) struct Began;

    #[inline(always)]
    pub(crate) fn begin() -> Began {
        Began
    }

    #[inline(always)]
    pub(crate) fn emit_since(_began: Began, _event: impl FnOnce() -> Event) {}

    #[inline(always)]
    pub(crate) fn emit(_event: impl FnOnce() -> Event) {}
}

#[cfg(not(feature = "observe"))]
pub(crate) use off::{Began, begin, emit, emit_since};
#[cfg(feature = "observe")]
pub use on::observe;
#[cfg(feature = "observe")]
pub(crate) use on::{Began, begin, emit, emit_since};

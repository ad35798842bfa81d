//! The recorders of this process: a list that only grows, which any thread may walk without
//! locking.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::recorder::Recorder;

/// Recorders live as long as the process: the program may produce events until its very end.
static RECORDERS: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// All recorders of this process, the newest last.
pub(crate) fn recorders() -> impl Iterator<Item = &'static Recorder> {
    let first = RECORDERS.load(Ordering::Acquire);
    let mut next = first;
    std::iter::from_fn(move || {
        // SAFETY: recorders in the list were leaked, so they live for ever.
        let recorder = unsafe { next.as_ref() }?;
        next = recorder.next.load(Ordering::Acquire);
        Some(recorder)
    })
}

/// Appends to the list, so that the place of a recorder in it never changes.
pub(crate) fn publish(recorder: &'static Recorder) {
    let pointer = std::ptr::from_ref(recorder).cast_mut();
    let mut place = &RECORDERS;
    loop {
        match place.compare_exchange(
            std::ptr::null_mut(),
            pointer,
            Ordering::AcqRel,
            Ordering::Acquire,
        ) {
            Ok(_) => return,
            // SAFETY: as in `recorders`.
            Err(taken) => place = unsafe { &(*taken).next },
        }
    }
}

//! Tasks with a stack: a coroutine that looks like a future to its processor.

use std::cell::Cell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::ptr;
use std::task::{Context, Poll};

use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::stacks::Slot;

/// The context of the poll in progress, as a coroutine gets it.
type ContextPointer = *mut Context<'static>;

/// What a coroutine needs to wait. It lies on its stack.
struct Suspender {
    yielder: *const Yielder<ContextPointer, ()>,
    context: Cell<ContextPointer>,
    #[cfg(feature = "record")]
    functions: crate::functions::Functions,
}

thread_local! {
    /// Of the coroutine that runs on this thread.
    static SUSPENDER: Cell<*const Suspender> = const { Cell::new(ptr::null()) };
}

/// Forgets the coroutine that ran on this thread.
struct Forget;

impl Drop for Forget {
    fn drop(&mut self) {
        SUSPENDER.set(ptr::null());
    }
}

/// A task with a stack.
pub(crate) struct Stackful {
    coroutine: Coroutine<ContextPointer, (), (), Slot>,
}

impl Stackful {
    /// A task that runs `body`.
    ///
    /// # Panics
    /// If there is no memory for a stack.
    pub fn new(body: impl FnOnce() + 'static) -> Self {
        let slot = match Slot::new() {
            Ok(slot) => slot,
            Err(error) => panic!("no memory for the stack of a task: {error}"),
        };
        let run = move |yielder: &Yielder<ContextPointer, ()>, context| {
            let suspender = Suspender {
                yielder,
                context: Cell::new(context),
                #[cfg(feature = "record")]
                functions: Default::default(),
            };
            SUSPENDER.set(&suspender);
            body();
        };
        Self {
            coroutine: Coroutine::with_stack(slot, run),
        }
    }
}

impl Future for Stackful {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = ptr::from_mut(context).cast::<Context<'static>>();
        // Also if the task panics.
        let _forget = Forget;
        match self.coroutine.resume(context) {
            CoroutineResult::Yield(()) => Poll::Pending,
            CoroutineResult::Return(()) => Poll::Ready(()),
        }
    }
}

impl Drop for Stackful {
    fn drop(&mut self) {
        if !self.coroutine.done() && self.coroutine.started() {
            // SAFETY: the frames are those of C, which have no destructors, and of this crate's
            // operations, which own nothing but a message. The program is being ended.
            unsafe { self.coroutine.force_reset() };
        }
    }
}

/// Waits for a future, in a task with a stack.
///
/// # Panics
/// Outside of such tasks.
#[inline]
pub(crate) fn wait_for<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let here = SUSPENDER.get();
    assert!(
        !here.is_null(),
        "this function can only be called by a task"
    );
    // SAFETY: the suspender lies on the stack that this runs on.
    let suspender = unsafe { &*here };
    loop {
        // SAFETY: the poll that resumed this coroutine has not returned, and only waits for it.
        let context = unsafe { &mut *suspender.context.get() };
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return output;
        }
        // SAFETY: the yielder lives as long as the coroutine's function.
        suspender
            .context
            .set(unsafe { &*suspender.yielder }.suspend(()));
        SUSPENDER.set(here);
        #[cfg(feature = "record")]
        suspender.functions.enter_again();
    }
}

/// Runs `action` with the functions of the task that runs on this thread, if there is one.
#[cfg(feature = "record")]
pub(crate) fn with_functions(action: impl FnOnce(&crate::functions::Functions)) {
    let here = SUSPENDER.get();
    if !here.is_null() {
        // SAFETY: the suspender lies on the stack of the task, which runs.
        action(&unsafe { &*here }.functions);
    }
}

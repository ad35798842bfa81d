//! The threads of the program, as the driver's transport lets one of them see the others.

use crate::interface::{MESSAGE_WORDS, Transport, text};
use std::ffi::c_int;

/// One thread's view of all threads.
#[derive(Clone, Copy)]
pub struct Threads<'a> {
    through: &'a Transport,
}

impl<'a> Threads<'a> {
    /// # Safety
    /// The functions of `through` do what `pgas_timing.h` says.
    pub unsafe fn new(through: &'a Transport) -> Self {
        Threads { through }
    }

    pub fn own(&self) -> usize {
        self.through.thread as usize
    }

    pub fn number(&self) -> usize {
        self.through.threads as usize
    }

    /// Whether this thread reads the job and writes the records.
    pub fn is_first(&self) -> bool {
        self.own() == 0
    }

    /// The model's own idea of this thread's node.
    pub fn node(&self) -> i32 {
        self.through.node
    }

    pub fn model(&self) -> String {
        // SAFETY: a string of C, or null.
        unsafe { text(self.through.model) }.into_owned()
    }

    pub fn implementation(&self) -> String {
        // SAFETY: a string of C, or null.
        unsafe { text(self.through.implementation) }.into_owned()
    }

    /// The model's own clock in seconds, if it has one.
    pub fn model_clock(&self) -> Option<impl Fn() -> f64 + 'a> {
        let through = self.through;
        let read = through.clock?;
        // SAFETY: the driver's function, called with its context.
        Some(move || unsafe { read(through.context) })
    }

    pub fn send(&self, to: usize, words: &[u64]) {
        for message in words.chunks(MESSAGE_WORDS) {
            let count = message.len() as c_int;
            // SAFETY: the driver's function, called with its context and `count` words.
            unsafe {
                (self.through.send)(self.through.context, to as c_int, message.as_ptr(), count)
            }
        }
    }

    pub fn receive(&self, from: usize, words: &mut [u64]) {
        for message in words.chunks_mut(MESSAGE_WORDS) {
            let (at, count) = (message.as_mut_ptr(), message.len() as c_int);
            // SAFETY: the driver's function, called with its context and room for `count` words.
            unsafe { (self.through.receive)(self.through.context, from as c_int, at, count) }
        }
    }

    pub fn barrier(&self) {
        // SAFETY: the driver's function, called with its context.
        unsafe { (self.through.barrier)(self.through.context) }
    }

    /// Ends all threads; others may be in the middle of something.
    pub fn end(&self, status: i32) -> ! {
        // SAFETY: the driver's function, called with its context.
        unsafe { (self.through.end)(self.through.context, status) };
        std::process::abort()
    }
}

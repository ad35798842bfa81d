//! Definitions of sites as they are made, where they can be read from outside: records of events
//! name sites by number, and the block that carries a definition may never be written.

use std::ffi::CString;
use std::sync::atomic::{Ordering, compiler_fence};

use pgas_trace_format::MAX_DEFINITION_BYTES;
use pgas_trace_format::buffers::Page;

use crate::buffer::Reserved;
use crate::buffer_file::provide_in;

/// Bytes of the area, of which the system provides what is used. A stream with more definitions
/// cannot be read.
pub(crate) const LENGTH: usize = MAX_DEFINITION_BYTES;
/// Bytes that are provided at a time.
pub(crate) const STEP: usize = 64 << 10;

/// The definitions of one thread. Used by the thread alone.
pub(crate) struct Journal {
    memory: Reserved,
    /// Bytes that are provided.
    provided: usize,
    /// The file, to ask for more, and where the area begins in it.
    file: CString,
    offset: u64,
}

impl Journal {
    /// The area at `offset` of a file, whose first [`STEP`] bytes are provided.
    pub(crate) fn new(descriptor: libc::c_int, file: CString, offset: u64) -> Option<Self> {
        let memory = Reserved::new(LENGTH)?;
        memory.map(descriptor, offset).then_some(Journal {
            memory,
            provided: STEP,
            file,
            offset,
        })
    }

    /// Appends a definition.
    pub(crate) fn push(&mut self, page: &mut Page, definition: &[u8]) {
        let begin = page.definition_bytes as usize;
        let end = begin + definition.len();
        if page.definitions_cut != 0 {
            return;
        }
        if end > LENGTH || end > self.provided && !self.grow(end) {
            page.definitions_cut = 1;
            return;
        }
        // SAFETY: the area is that long, what was provided can be written, and only this thread
        // writes it.
        unsafe {
            let place = self.memory.pointer().add(begin);
            std::ptr::copy_nonoverlapping(definition.as_ptr(), place, definition.len());
        }
        compiler_fence(Ordering::Release);
        page.definition_bytes = end as u64;
        compiler_fence(Ordering::Release);
        page.definition_count += 1;
    }

    fn grow(&mut self, end: usize) -> bool {
        let length = end.next_multiple_of(STEP).min(LENGTH);
        let is_there = provide_in(&self.file, self.offset, length);
        if is_there {
            self.provided = length;
        }
        is_there
    }
}

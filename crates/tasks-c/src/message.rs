//! Messages of C: as many bytes as their channel was created for.
//!
//! Those of up to 8 bytes travel as a number. A type for all lengths would be larger than a
//! register, and moving it would take longer than the rest of a send.

use std::ffi::c_void;
use std::ptr;

use pgas_tasks::Message;

/// Bytes of a message that is a number.
pub(crate) const WORD: usize = 8;

/// A message as a channel carries it.
pub(crate) trait Bytes: Message {
    /// Copies a message.
    ///
    /// # Safety
    /// There are `bytes` bytes at `source`, at most as many as the type has place for.
    unsafe fn read(source: *const c_void, bytes: usize) -> Self;

    /// Copies the message to where its receiver wants it.
    ///
    /// # Safety
    /// There is place for `bytes` bytes at `target`, and the message was read with as many.
    unsafe fn write(&self, target: *mut c_void, bytes: usize);
}

impl Bytes for u64 {
    #[inline]
    unsafe fn read(source: *const c_void, bytes: usize) -> Self {
        let mut word = 0;
        match bytes {
            0 => {}
            // Most messages are a number or a port.
            // SAFETY: as promised to this function.
            WORD => word = unsafe { source.cast::<u64>().read_unaligned() },
            _ => {
                // SAFETY: as promised to this function.
                unsafe { ptr::copy_nonoverlapping(source, (&raw mut word).cast(), bytes) }
            }
        }
        word
    }

    #[inline]
    unsafe fn write(&self, target: *mut c_void, bytes: usize) {
        match bytes {
            0 => {}
            // SAFETY: as promised to this function.
            WORD => unsafe { target.cast::<u64>().write_unaligned(*self) },
            _ => {
                // SAFETY: as promised to this function.
                unsafe { ptr::copy_nonoverlapping(ptr::from_ref(self).cast(), target, bytes) }
            }
        }
    }
}

impl Bytes for Box<[u8]> {
    unsafe fn read(source: *const c_void, bytes: usize) -> Self {
        // SAFETY: as promised to this function.
        unsafe { std::slice::from_raw_parts(source.cast(), bytes) }.into()
    }

    unsafe fn write(&self, target: *mut c_void, bytes: usize) {
        // SAFETY: as promised to this function.
        unsafe { ptr::copy_nonoverlapping(self.as_ptr(), target.cast(), bytes) }
    }
}

//! Names of tasks that C passes as strings, kept for as long as the process lives.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};

use rustc_hash::FxHashMap;

thread_local! {
    /// By address: those of literals are fixed, and are faster to look up than text.
    static NAMES: RefCell<FxHashMap<usize, &'static str>> = RefCell::default();
}

/// The name of a task.
///
/// # Safety
/// `name` is a string that is never freed.
pub(crate) unsafe fn name(name: *const c_char) -> &'static str {
    // SAFETY: as promised to this function.
    let make = || unsafe { leak(name) }.trim_start_matches('&');
    NAMES.with_borrow_mut(|names| *names.entry(name as usize).or_insert_with(make))
}

/// # Safety
/// `name` ends with a zero.
unsafe fn leak(name: *const c_char) -> &'static str {
    // SAFETY: as promised to this function.
    unsafe { CStr::from_ptr(name) }
        .to_string_lossy()
        .into_owned()
        .leak()
}

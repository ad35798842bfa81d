//! Names and places that C passes as strings, kept for as long as the process lives.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};

use pgas_tasks::{ForeignPlace, Place};
use rustc_hash::FxHashMap;

thread_local! {
    /// Strings of `__FILE__` have fixed addresses, which are faster to look up than text.
    static PLACES: RefCell<FxHashMap<(usize, u32), &'static ForeignPlace>> = RefCell::default();
    static NAMES: RefCell<FxHashMap<usize, &'static str>> = RefCell::default();
}

/// A place in a source file.
///
/// # Safety
/// `file` is null or a string that is never freed.
pub(crate) unsafe fn place(file: *const c_char, line: u32) -> Place {
    // SAFETY: as promised to this function.
    let make = || {
        leak(ForeignPlace {
            file: unsafe { text(file) },
            line,
        })
    };
    PLACES
        .with_borrow_mut(|places| *places.entry((file as usize, line)).or_insert_with(make))
        .into()
}

/// The name of a task.
///
/// # Safety
/// `name` is null or a string that is never freed.
pub(crate) unsafe fn name(name: *const c_char) -> &'static str {
    // SAFETY: as promised to this function.
    let make = || leak(unsafe { text(name) }).trim_start_matches('&');
    NAMES.with_borrow_mut(|names| *names.entry(name as usize).or_insert_with(make))
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// # Safety
/// `string` is null or ends with a zero.
unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return "unknown".to_owned();
    }
    // SAFETY: as promised to this function.
    unsafe { CStr::from_ptr(string) }
        .to_string_lossy()
        .into_owned()
}

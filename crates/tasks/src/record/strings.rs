//! Strings for the recorder, which are never freed and end with a zero byte. Those of Rust do not,
//! so each is copied once on each thread, and found again by its address.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CString, c_char};
use std::ptr;

use rustc_hash::FxBuildHasher;

use crate::place::Place;

/// Places in the part that is looked at first.
const RECENT: usize = 256;

/// A string's address and length, and its copy.
type Known = (usize, usize, *const c_char);

thread_local! {
    /// By the lower bits of the address.
    static RECENTLY: [Cell<Known>; RECENT] =
        const { [const { Cell::new((0, 0, ptr::null())) }; RECENT] };
    static COPIES: RefCell<HashMap<(usize, usize), *const c_char, FxBuildHasher>> =
        const { RefCell::new(HashMap::with_hasher(FxBuildHasher)) };
}

/// The same string, ending with a zero byte.
#[inline]
pub(super) fn terminated(text: &'static str) -> *const c_char {
    let (address, length) = (text.as_ptr() as usize, text.len());
    RECENTLY.with(|recently| {
        let slot = &recently[(address >> 3 ^ address >> 11) % RECENT];
        let (known, known_length, copy) = slot.get();
        if (known, known_length) == (address, length) {
            return copy;
        }
        let copy = look_up(text);
        slot.set((address, length, copy));
        copy
    })
}

#[cold]
fn look_up(text: &'static str) -> *const c_char {
    COPIES.with_borrow_mut(|copies| {
        *copies
            .entry((text.as_ptr() as usize, text.len()))
            .or_insert_with(|| copy(text))
    })
}

/// Names of functions and files have no zero byte.
fn copy(text: &str) -> *const c_char {
    CString::new(text).map_or(ptr::null(), |text| text.into_raw().cast_const())
}

/// File and line of a place.
#[inline]
pub(super) fn place(place: &Place) -> (*const c_char, i32) {
    let file = place.c_file().unwrap_or_else(|| terminated(place.file()));
    (file, i32::try_from(place.line()).unwrap_or(0))
}

//! Places in source files, of Rust and of C.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::panic::Location;
use std::ptr;

use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::anchor;

/// A place in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(Language);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Rust(&'static Location<'static>),
    C { file: FileName, line: u32 },
}

/// A string that lives as long as the process. Its length is not looked for before it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileName(*const c_char);

// SAFETY: the string is never changed.
unsafe impl Send for FileName {}
// SAFETY: as above.
unsafe impl Sync for FileName {}

impl Place {
    /// The caller of the function that calls this.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn caller() -> Self {
        Self(Language::Rust(Location::caller()))
    }

    /// A place in C, as `__FILE__` and `__LINE__` have it.
    ///
    /// # Safety
    /// `file` is a string that is never freed or changed.
    #[inline]
    #[must_use]
    pub unsafe fn in_c(file: *const c_char, line: u32) -> Self {
        Self(Language::C {
            file: FileName(file),
            line,
        })
    }

    /// The file, as the compiler calls it.
    #[must_use]
    pub fn file(&self) -> &'static str {
        match self.0 {
            Language::Rust(place) => place.file(),
            // SAFETY: the constructor's caller promised that it is a string for ever.
            Language::C { file, .. } => unsafe { CStr::from_ptr(file.0) }
                .to_str()
                .unwrap_or("a file whose name is not UTF-8"),
        }
    }

    /// The file as C has it, if this is a place in C.
    #[cfg(feature = "record")]
    #[inline]
    pub(crate) fn c_file(&self) -> Option<*const c_char> {
        match self.0 {
            Language::Rust(_) => None,
            Language::C { file, .. } => Some(file.0),
        }
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        match self.0 {
            Language::Rust(place) => place.line(),
            Language::C { line, .. } => line,
        }
    }
}

/// Places of Rust are constants of the executable; those of C may be in any library.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Language::Rust(place) => anchor::offset(ptr::from_ref(place) as usize).serialize(to),
            Language::C { .. } => Err(S::Error::custom("a place in C")),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let place = anchor::address(u64::deserialize(from)?) as *const Location<'static>;
        // SAFETY: a process of the same executable has a place there, which is constant.
        Ok(Self(Language::Rust(unsafe { &*place })))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Language::Rust(place) => write!(out, "{place}"),
            Language::C { line, .. } => write!(out, "{}:{line}", self.file()),
        }
    }
}

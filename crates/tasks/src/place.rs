//! Places in source files, of Rust and of other languages.

use std::fmt;
use std::panic::Location;

/// A place in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(Language);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Rust(&'static Location<'static>),
    Other(&'static ForeignPlace),
}

/// A place in a source file that is not Rust's, as a binding to its language keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignPlace {
    /// The file, as its compiler calls it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Place {
    /// The caller of the function that calls this.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn caller() -> Self {
        Self(Language::Rust(Location::caller()))
    }

    /// The file, as the compiler calls it.
    #[must_use]
    pub fn file(&self) -> &'static str {
        match self.0 {
            Language::Rust(place) => place.file(),
            Language::Other(place) => &place.file,
        }
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        match self.0 {
            Language::Rust(place) => place.line(),
            Language::Other(place) => place.line,
        }
    }
}

impl From<&'static ForeignPlace> for Place {
    fn from(place: &'static ForeignPlace) -> Self {
        Self(Language::Other(place))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Language::Rust(place) => write!(out, "{place}"),
            Language::Other(place) => write!(out, "{}:{}", place.file, place.line),
        }
    }
}

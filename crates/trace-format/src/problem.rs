//! Errors in bytes, with their offset.

/// An error in bytes, with the offset in them. Callers add the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Bytes from the beginning of what was decoded.
    pub offset: usize,
    /// The content at that place.
    pub found: String,
    /// The content that the format demands there.
    pub expected: String,
}

impl Problem {
    /// `found` stands at `offset` instead of what was `expected`.
    pub fn new(offset: usize, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Problem {
            offset,
            found: found.into(),
            expected: expected.into(),
        }
    }
}

//! A piece of a CUBE file that contradicts the others.

/// A piece that does not fit the others.
pub(super) struct Unfit {
    pub found: String,
    pub expected: String,
}

pub(super) fn unfit<T>(found: impl Into<String>, expected: impl Into<String>) -> Result<T, Unfit> {
    Err(Unfit {
        found: found.into(),
        expected: expected.into(),
    })
}

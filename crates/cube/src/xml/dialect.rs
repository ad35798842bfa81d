//! The two versions of CUBE's XML.

/// Which of the two versions is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// CUBE 3: values are in the document.
    Three,
    /// CUBE 4: the document has the trees alone.
    Four,
}

impl Dialect {
    /// The element that a document consists of.
    pub fn root(self) -> &'static str {
        match self {
            Dialect::Three => "<cube version=\"3.0\">",
            Dialect::Four => "<cube version=\"4.0\">",
        }
    }

    /// The first part of its number.
    pub fn version(self) -> &'static str {
        match self {
            Dialect::Three => "3",
            Dialect::Four => "4",
        }
    }
}

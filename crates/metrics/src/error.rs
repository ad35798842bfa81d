//! Errors in definitions, with the place in the text.

/// An error in a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    /// The line with the definition.
    pub text: String,
    /// Characters before the place of the error.
    pub column: usize,
    /// What is there.
    pub found: String,
    /// What would be valid.
    pub expected: String,
    /// File and number of the line, from 1.
    pub file: Option<(String, usize)>,
}

impl std::error::Error for DefinitionError {}

/// Three lines: the error, the definition, and a mark below the character.
impl std::fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((file, line)) = &self.file {
            write!(f, "{file}:{line}:{}: ", self.column + 1)?;
        }
        let (found, expected) = (&self.found, &self.expected);
        writeln!(f, "found {found}, expected {expected}")?;
        writeln!(f, "  {}", self.text)?;
        write!(f, "  {}^", " ".repeat(self.column))
    }
}

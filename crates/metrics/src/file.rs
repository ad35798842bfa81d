//! Files of definitions: one each line, `#` begins a comment, empty lines do not count.

use crate::definitions::Definitions;
use crate::error::DefinitionError;

/// Adds the definitions in the text of a file to `definitions`.
///
/// # Errors
/// The first error, with `name` and the line.
pub fn parse_file(
    text: &str,
    name: &str,
    definitions: &mut Definitions,
) -> Result<(), DefinitionError> {
    for (line, definition) in lines(text) {
        let in_file = |problem| DefinitionError {
            file: Some((name.to_owned(), line)),
            ..problem
        };
        definitions.add(definition).map_err(in_file)?;
    }
    Ok(())
}

/// The definitions in the text of a file, without comments, each with the number of its line from 1.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(without_comment);
    let lines = (1..).zip(lines);
    lines.filter(|(_, definition)| !definition.trim().is_empty())
}

/// A `#` in quotes is part of a name.
fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    let end = line.char_indices().find(|(_, c)| {
        is_quoted ^= *c == '"';
        *c == '#' && !is_quoted
    });
    end.map_or(line, |(at, _)| &line[..at]).trim_end()
}

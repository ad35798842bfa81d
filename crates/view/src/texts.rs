//! Source text as it can be shown.

use pgas_result::sources::{SourceContent, Sources};

/// Lines of a file, or the reason why there are none.
pub(crate) fn lines(sources: &Sources, name: &str) -> Result<Vec<String>, String> {
    match sources.file(name).map(|file| &file.content) {
        Some(SourceContent::Text(text)) => Ok(split(text)),
        Some(SourceContent::Missing(why)) => Err(why.clone()),
        None => Err("its text was not kept with the result".to_owned()),
    }
}

/// Notes on a file for its readers.
pub(crate) fn notes(sources: &Sources, name: &str) -> Vec<&'static str> {
    let notes = sources.file(name).map(|file| file.notes.iter());
    notes
        .into_iter()
        .flatten()
        .map(|note| note.text())
        .collect()
}

/// Tabs become spaces.
fn split(text: &str) -> Vec<String> {
    const TAB: usize = 8;
    let untabbed = |line: &str| {
        let mut out = String::with_capacity(line.len());
        let mut column = 0;
        for c in line.chars() {
            if c == '\t' {
                let spaces = TAB - column % TAB;
                out.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            } else {
                out.push(c);
                column += 1;
            }
        }
        out
    };
    text.lines().map(untabbed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_result::sources::SourceFile;

    #[test]
    fn tabs_go_to_the_next_multiple_of_eight() {
        let sources = Sources {
            files: vec![SourceFile::text("a.upc", "a\tb\r\n\tc")],
        };
        let shown = lines(&sources, "a.upc").unwrap();
        assert_eq!(shown, ["a       b", "        c"]);
        assert!(lines(&sources, "b.upc").is_err());
    }
}

//! The program's source text, kept with the result so that a report can show lines where the source
//! is not at hand. [`gather`] collects it; it lies beside the result as `analysis/sources.json`.

mod file;
pub mod gather;

use serde::{Deserialize, Serialize};

impl SourceFile {
    /// Why the text is not kept, although the file was found.
    pub fn left_out(&self) -> Option<&str> {
        match &self.content {
            SourceContent::Missing(why) => why.strip_prefix(gather::LEFT_OUT),
            SourceContent::Text(_) => None,
        }
    }
}

/// Every file that a call path names, sorted by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sources {
    /// Files in the order of their names, by which [`Sources::file`] searches.
    pub files: Vec<SourceFile>,
}

/// A source file that call paths name, and its text as far as that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// As call paths spell it.
    pub name: String,
    /// Its text, or the reason why there is none.
    pub content: SourceContent,
    /// Reservations about the text that a reader must know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<SourceNote>,
}

/// Text of a source file, or the reason why it is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceContent {
    /// The whole text, line ends as in the file.
    Text(String),
    /// Why there is none, e.g. where it was looked for.
    Missing(String),
}

/// Reservation about the text of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceNote {
    /// The file was changed after the run began: its lines may be others than those that ran.
    Changed,
    /// Some bytes are not UTF-8; U+FFFD stands for them.
    NotUtf8,
    /// One that this version does not know.
    #[serde(other)]
    Other,
}

impl SourceNote {
    /// As a sentence without a full stop.
    pub fn text(self) -> &'static str {
        match self {
            SourceNote::Changed => {
                "changed since the run: lines may not be where they were when it was measured"
            }
            SourceNote::NotUtf8 => "not UTF-8: what cannot be read is replaced",
            SourceNote::Other => {
                "there is something to know about this file that this version cannot say"
            }
        }
    }
}

impl SourceFile {
    /// A file with its text, about which there is nothing to say.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        SourceFile {
            name: name.into(),
            content: SourceContent::Text(text.into()),
            notes: Vec::new(),
        }
    }
}

impl Sources {
    /// The file that call paths call `name`.
    pub fn file(&self, name: &str) -> Option<&SourceFile> {
        let found = self.files.binary_search_by(|f| f.name.as_str().cmp(name));
        found.ok().map(|index| &self.files[index])
    }

    /// The text of the file that call paths call `name`.
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.file(name)?.content {
            SourceContent::Text(text) => Some(text),
            SourceContent::Missing(_) => None,
        }
    }

    /// Line number `line` (from 1) of a file and up to `around` lines before and behind it, with
    /// their numbers and without line ends. Empty if there is no such line.
    pub fn excerpt(&self, name: &str, line: u32, around: u32) -> Vec<(u32, &str)> {
        let numbered = self
            .text(name)
            .into_iter()
            .flat_map(|text| (1u32..).zip(text.lines()));
        let first = line.saturating_sub(around);
        let last = line.saturating_add(around);
        let lines: Vec<_> = numbered
            .skip_while(|(number, _)| *number < first)
            .take_while(|(number, _)| *number <= last)
            .collect();
        let is_there = lines.iter().any(|(number, _)| *number == line);
        match is_there {
            true => lines,
            false => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_the_line_and_its_neighbours() {
        let sources = Sources {
            files: vec![SourceFile::text("a.upc", "one\r\ntwo\nthree\nfour")],
        };
        assert_eq!(
            sources.excerpt("a.upc", 3, 1),
            [(2, "two"), (3, "three"), (4, "four")]
        );
        assert_eq!(sources.excerpt("a.upc", 1, 1), [(1, "one"), (2, "two")]);
        assert_eq!(sources.excerpt("a.upc", 4, u32::MAX).len(), 4);
        for (name, line) in [("a.upc", 0), ("a.upc", 5), ("b.upc", 1)] {
            assert!(sources.excerpt(name, line, 1).is_empty(), "{name}:{line}");
        }
    }
}

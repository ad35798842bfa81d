//! Which line of a file became which, from the texts of both, and which file became which.

use similar::{Algorithm, DiffOp};

use crate::sources::{SourceNote, Sources};

/// Files with more lines than this are not compared; their lines are matched as those of unknown
/// text.
const MOST_LINES: usize = 50_000;

/// Fate of a line in the later version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is this one, unchanged but for white space.
    Same(u32),
    /// It was changed or taken away; what stands in its place are lines `first` up to but without
    /// `end`.
    Replaced { first: u32, end: u32 },
}

/// From the lines of a file to those of its later version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineMap {
    /// By line from 1, at index 0.
    fates: Vec<Fate>,
}

impl LineMap {
    /// From the texts that both sides keep; `None` if one has none or not that of the run, or they
    /// are too long.
    pub fn of(
        before: Option<&Sources>,
        before_file: &str,
        after: Option<&Sources>,
        after_file: &str,
    ) -> Option<Self> {
        let (before, after) = (
            of_the_run(before?, before_file)?,
            of_the_run(after?, after_file)?,
        );
        let before: Vec<&str> = before.lines().map(str::trim).collect();
        let after: Vec<&str> = after.lines().map(str::trim).collect();
        if before.len().max(after.len()) > MOST_LINES {
            return None;
        }
        let mut fates = vec![Fate::Replaced { first: 0, end: 0 }; before.len()];
        for operation in similar::capture_diff_slices(Algorithm::Patience, &before, &after) {
            let (old, new) = (operation.old_range(), operation.new_range());
            let equal = matches!(operation, DiffOp::Equal { .. });
            for (offset, fate) in fates[old].iter_mut().enumerate() {
                *fate = if equal {
                    Fate::Same((new.start + offset + 1) as u32)
                } else {
                    Fate::Replaced {
                        first: new.start as u32 + 1,
                        end: new.end as u32 + 1,
                    }
                };
            }
        }
        Some(LineMap { fates })
    }

    /// Whether what stood in line `before` can stand in line `after` now. Lines that the text does
    /// not have can be anywhere: it is not of this run.
    pub fn allows(&self, before: u32, after: u32) -> bool {
        let index = (before as usize).checked_sub(1);
        match index.and_then(|index| self.fates.get(index)) {
            None => true,
            Some(Fate::Same(line)) => *line == after,
            Some(Fate::Replaced { first, end }) => (*first..*end).contains(&after),
        }
    }
}

/// The text, unless it was changed between the run and the moment at which it was kept.
fn of_the_run<'a>(sources: &'a Sources, file: &str) -> Option<&'a str> {
    let notes = &sources.file(file)?.notes;
    (!notes.contains(&SourceNote::Changed)).then(|| sources.text(file))?
}

/// The last component of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::SourceFile;

    fn text(text: &str) -> Sources {
        Sources {
            files: vec![SourceFile::text("a.c", text)],
        }
    }

    fn map(before: &str, after: &str) -> LineMap {
        LineMap::of(Some(&text(before)), "a.c", Some(&text(after)), "a.c").unwrap()
    }

    #[test]
    fn lines_keep_their_text_wherever_they_go() {
        let map = map("one\ntwo\nthree\n", "new\none\n  two\nother\n");
        assert!(map.allows(1, 2) && !map.allows(1, 1));
        assert!(map.allows(2, 3), "white space is no change");
        assert!(
            map.allows(3, 4) && !map.allows(3, 3),
            "what replaces it stands in its place"
        );
        assert!(map.allows(77, 1), "a line that the text does not have");
    }

    #[test]
    fn what_was_taken_away_is_nowhere() {
        let map = map("one\ntwo\nthree\n", "one\nthree\n");
        assert!((1..=3).all(|line| !map.allows(2, line)));
    }

    #[test]
    fn without_text_there_is_no_map() {
        let some = text("one\n");
        assert_eq!(LineMap::of(Some(&some), "a.c", None, "a.c"), None);
        assert_eq!(LineMap::of(Some(&some), "b.c", Some(&some), "a.c"), None);
    }

    #[test]
    fn a_text_that_did_not_run_tells_nothing() {
        let ran = text("one\n");
        let mut later = text("new\none\n");
        later.files[0].notes.push(SourceNote::Changed);
        assert_eq!(LineMap::of(Some(&ran), "a.c", Some(&later), "a.c"), None);
    }
}

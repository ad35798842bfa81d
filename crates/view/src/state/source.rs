//! A source file with what its lines cost.

use std::collections::BTreeMap;

use pgas_cube::model::MetricId;
use pgas_cube::values::Extent;

use super::list::Cursor;
use crate::document::{File, Profile};
use crate::input::Command;
use crate::lines;

/// See the module.
#[derive(Debug, Clone)]
pub struct Source {
    /// Index into [`Profile::files`].
    pub file: usize,
    /// Entry 0 is line 1.
    pub cursor: Cursor,
    pub extent: Extent,
    /// By line, from 1.
    values: BTreeMap<u32, f64>,
    /// File, metric and extent of the values.
    valued: Option<(usize, MetricId, Extent)>,
}

impl Default for Source {
    fn default() -> Self {
        Source {
            file: 0,
            cursor: Cursor::default(),
            extent: Extent::Exclusive,
            values: BTreeMap::new(),
            valued: None,
        }
    }
}

impl Source {
    /// Values by line, from 1; lines without one are not there.
    pub fn values(&self) -> &BTreeMap<u32, f64> {
        &self.values
    }

    /// The line that is selected, from 1.
    pub fn line(&self) -> u32 {
        u32::try_from(self.cursor.selected + 1).unwrap_or(u32::MAX)
    }

    pub fn refresh(&mut self, profile: &Profile, metric: MetricId) {
        let wanted = (self.file, metric, self.extent);
        if self.valued != Some(wanted) {
            self.values = profile.line_values(self.file, metric, self.extent);
            self.values.retain(|_, value| *value != 0.0);
            self.valued = Some(wanted);
        }
    }

    /// Goes to a line of a file.
    pub fn show(&mut self, profile: &Profile, file: usize, line: u32, height: usize) {
        self.file = file;
        let count = profile.files.get(file).map_or(0, line_count);
        let entry = (line.max(1) - 1) as usize;
        self.cursor.show(entry, count, height);
    }

    /// The file and line with most of a metric, in all of its call paths.
    pub fn hottest(profile: &Profile, metric: MetricId) -> Option<(usize, u32)> {
        let lines = (0..profile.files.len()).flat_map(|file| {
            let values = profile.line_values(file, metric, Extent::Exclusive);
            values
                .into_iter()
                .map(move |(line, value)| (file, line, value))
        });
        let most = lines.max_by(|a, b| a.2.total_cmp(&b.2))?;
        Some((most.0, most.1))
    }

    pub fn apply(&mut self, command: Command, profile: &Profile, height: usize) -> bool {
        let count = profile.files.get(self.file).map_or(0, line_count);
        match command {
            Command::Move(motion) => self.cursor.go(motion, count, height),
            Command::Toggle => self
                .cursor
                .go(crate::input::Motion::Pages(2), count, height),
            Command::Extent => {
                self.extent = match self.extent {
                    Extent::Exclusive => Extent::Inclusive,
                    Extent::Inclusive => Extent::Exclusive,
                }
            }
            Command::NextHot | Command::PreviousHot => {
                let line = self.line();
                let next = match command {
                    Command::NextHot => self.values.range(line.saturating_add(1)..).next(),
                    _ => self.values.range(..line).next_back(),
                };
                if let Some((line, _)) = next {
                    self.cursor
                        .show((*line as usize).saturating_sub(1), count, height);
                }
            }
            _ => return false,
        }
        true
    }

    pub fn search(
        &mut self,
        profile: &Profile,
        wanted: &str,
        (forward, stay): (bool, bool),
        height: usize,
    ) -> bool {
        let Some(File { text: Ok(text), .. }) = profile.files.get(self.file) else {
            return false;
        };
        let is_match = |line: usize| lines::matches(&text[line], wanted);
        let found = lines::find(text.len(), self.cursor.selected, forward, stay, is_match);
        if let Some(line) = found {
            self.cursor.show(line, text.len(), height);
        }
        found.is_some()
    }
}

/// Lines that can be gone to: those of the text, or up to the last that a call path names.
pub(crate) fn line_count(file: &File) -> usize {
    let last = file.calls.keys().next_back().copied().unwrap_or(0) as usize;
    file.text.as_ref().map_or(0, Vec::len).max(last)
}

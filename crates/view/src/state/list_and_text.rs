//! A list, such as that of the findings, and what is said about its selected entry.

use super::list::{Cursor, scroll_text};
use crate::input::Command;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct ListAndText {
    pub cursor: Cursor,
    /// The selected entry's text has the focus.
    pub reading: bool,
    /// First visible line of that text.
    pub text_top: usize,
}

impl ListAndText {
    /// `list` and `text` are the visible lines, and how many lines the text has.
    pub fn apply(
        &mut self,
        command: Command,
        count: usize,
        list: usize,
        (text, text_lines): (usize, usize),
    ) -> bool {
        match command {
            Command::Move(motion) if self.reading => {
                self.text_top = scroll_text(self.text_top, motion, text_lines, text);
            }
            Command::Move(motion) => {
                let before = self.cursor.selected;
                self.cursor.go(motion, count, list);
                if self.cursor.selected != before {
                    self.text_top = 0;
                }
            }
            Command::NextPane | Command::PreviousPane => self.reading = !self.reading,
            Command::Enter | Command::Right if !self.reading => self.reading = true,
            Command::Left | Command::Back if self.reading => self.reading = false,
            _ => return false,
        }
        true
    }

    pub fn select(&mut self, index: usize) {
        if self.cursor.selected != index {
            self.cursor.selected = index;
            self.text_top = 0;
        }
    }
}

//! The list of threads with what they did.

use super::list::Cursor;
use crate::document::Profile;
use crate::input::Command;

/// By what threads are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThreadOrder {
    #[default]
    Number,
    Computation,
    Waiting,
    Communication,
}

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    pub cursor: Cursor,
    pub order: ThreadOrder,
    /// Numbers of threads as they are shown.
    rows: Vec<usize>,
}

impl Threads {
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    pub fn selected(&self) -> Option<usize> {
        self.rows.get(self.cursor.selected).copied()
    }

    pub fn refresh(&mut self, profile: &Profile) {
        let threads = &profile.activities;
        if self.rows.len() != threads.len() {
            self.rows = (0..threads.len()).collect();
        }
        let key = |thread: &usize| {
            let activity = &threads[*thread];
            match self.order {
                ThreadOrder::Number => 0.0,
                ThreadOrder::Computation => activity.computation,
                ThreadOrder::Waiting => activity.waiting,
                ThreadOrder::Communication => activity.communication,
            }
        };
        self.rows
            .sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.cmp(b)));
    }

    pub fn apply(&mut self, command: Command, height: usize) -> bool {
        match command {
            Command::Move(motion) => self.cursor.go(motion, self.rows.len(), height),
            Command::Toggle => {
                let page = crate::input::Motion::Pages(2);
                self.cursor.go(page, self.rows.len(), height);
            }
            Command::Order => {
                self.order = match self.order {
                    ThreadOrder::Number => ThreadOrder::Computation,
                    ThreadOrder::Computation => ThreadOrder::Waiting,
                    ThreadOrder::Waiting => ThreadOrder::Communication,
                    ThreadOrder::Communication => ThreadOrder::Number,
                };
                self.cursor = Cursor::default();
            }
            _ => return false,
        }
        true
    }

    /// Goes to the next thread whose number or name contains `wanted`.
    pub fn search(
        &mut self,
        profile: &Profile,
        wanted: &str,
        (forward, stay): (bool, bool),
        height: usize,
    ) -> bool {
        let threads = &profile.cube().threads;
        let words = profile.result.summary.words();
        let is_match = |row: usize| {
            let number = self.rows[row];
            let name = threads.get(number).map_or("", |thread| &thread.name);
            words.number(number as u32).to_string() == wanted || crate::lines::matches(name, wanted)
        };
        let count = self.rows.len();
        let found = crate::lines::find(count, self.cursor.selected, forward, stay, is_match);
        if let Some(row) = found {
            self.cursor.show(row, count, height);
        }
        found.is_some()
    }
}

//! Popups that lie over a screen until they are closed: help, an explanation, or something to
//! choose from.

use super::list::{Cursor, scroll_text};
use crate::input::{Command, Motion};

/// See the module.
#[derive(Debug, Clone)]
pub enum Popup {
    Help {
        top: usize,
    },
    /// Explanation of a metric, by its id.
    Explanation {
        metric: String,
        top: usize,
    },
    Chooser(Chooser),
}

/// Kind of the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Indices of metrics.
    Metric,
    /// Indices of files.
    File,
}

/// A list to choose from.
#[derive(Debug, Clone)]
pub struct Chooser {
    pub choice: Choice,
    /// Indices of the entries, in the order in which they are shown, with their values.
    pub entries: Vec<(usize, f64)>,
    pub cursor: Cursor,
}

/// State of a popup after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    No,
    Yes,
    Chosen(Choice, usize),
}

impl Popup {
    /// `lines` lines of text, of which `height` are visible.
    pub fn apply(&mut self, command: Command, lines: usize, height: usize) -> Closed {
        if matches!(command, Command::Quit | Command::Back | Command::Left) {
            return Closed::Yes;
        }
        let motion = match command {
            Command::Move(motion) => Some(motion),
            Command::Toggle => Some(Motion::Pages(2)),
            _ => None,
        };
        match self {
            Popup::Chooser(chooser) => {
                if command == Command::Enter || command == Command::Right {
                    let chosen = chooser.entries.get(chooser.cursor.selected);
                    return match chosen {
                        Some((index, _)) => Closed::Chosen(chooser.choice, *index),
                        None => Closed::Yes,
                    };
                }
                if let Some(motion) = motion {
                    chooser.cursor.go(motion, chooser.entries.len(), height);
                }
            }
            Popup::Help { top } | Popup::Explanation { top, .. } => match motion {
                Some(motion) => {
                    *top = scroll_text(*top, motion, lines, height);
                }
                // The key that opened it closes it, and so does Enter.
                None if matches!(command, Command::Help | Command::Explain | Command::Enter) => {
                    return Closed::Yes;
                }
                None => {}
            },
        }
        Closed::No
    }
}

//! The whole state.

use pgas_cube::model::CallPathId;
use pgas_cube::values::{Calls, Extent, SystemTree};
use pgas_result::models::Words;
use ratatui::layout::Rect;

use super::{ListAndText, Matrix, Popup, Source, Threads, Trees};
use crate::document::Profile;
use pgas_screen::theme::Theme;

/// Views that fill the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Findings,
    Trees,
    Source,
    Threads,
    Iterations,
    Matrix,
}

impl Screen {
    /// In the order of their numbers, from 1.
    pub const ALL: [Screen; 6] = [
        Screen::Findings,
        Screen::Trees,
        Screen::Source,
        Screen::Threads,
        Screen::Iterations,
        Screen::Matrix,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Screen::Findings => "Findings",
            Screen::Trees => "Trees",
            Screen::Source => "Source",
            Screen::Threads => "Threads",
            Screen::Iterations => "Iterations",
            Screen::Matrix => "Matrix",
        }
    }
}

/// Action of the viewer after an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Continue,
    Quit,
    /// Give the terminal back to the shell for a while.
    Suspend,
}

/// A text that is being searched for while it is typed.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub text: String,
    pub before: Box<Places>,
}

/// Positions that a search moves.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub findings: ListAndText,
    pub trees: Trees,
    pub source: Source,
    pub threads: Threads,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct App {
    pub theme: Theme,
    /// The program's words for its threads.
    pub words: Words,
    /// The terminal's size.
    pub area: Rect,
    pub screen: Screen,
    pub popup: Option<Popup>,
    /// Message to the user.
    pub message: Option<String>,
    pub findings: ListAndText,
    pub trees: Trees,
    pub source: Source,
    pub threads: Threads,
    pub iterations: ListAndText,
    pub matrix: Matrix,
    pub(crate) prompt: Option<Prompt>,
    pub(crate) search: Option<String>,
    /// A profile has been seen, and the screens are set up for it.
    pub(crate) unfolded: bool,
    /// The user has chosen a source line; else the most expensive one is shown.
    pub(crate) placed: bool,
}

impl App {
    pub fn new(theme: Theme, area: Rect) -> Self {
        App {
            theme,
            words: Words::default(),
            area,
            screen: Screen::Findings,
            popup: None,
            message: None,
            findings: ListAndText::default(),
            trees: Trees::default(),
            source: Source::default(),
            threads: Threads::default(),
            iterations: ListAndText::default(),
            matrix: Matrix::default(),
            prompt: None,
            search: None,
            unfolded: false,
            placed: false,
        }
    }

    /// The text that is being typed, if one is.
    pub fn typing(&self) -> Option<&str> {
        self.prompt.as_ref().map(|prompt| prompt.text.as_str())
    }

    /// Call paths at the selected source line with their values, most first.
    pub fn calls_of_line(&self, profile: &Profile) -> Vec<(CallPathId, f64)> {
        let file = profile.files.get(self.source.file);
        let calls = file.and_then(|file| file.calls.get(&self.source.line()));
        let metric = self.trees.metric();
        let value = |path: CallPathId| {
            let calls = match self.source.extent {
                Extent::Exclusive => Calls::Exclusive(path),
                Extent::Inclusive => Calls::Inclusive(path),
            };
            let root = SystemTree::ROOT;
            (
                path,
                profile.values.value(metric, Extent::Inclusive, calls, root),
            )
        };
        let mut calls: Vec<_> = calls.into_iter().flatten().copied().map(value).collect();
        calls.sort_by(|a, b| b.1.total_cmp(&a.1));
        calls
    }
}

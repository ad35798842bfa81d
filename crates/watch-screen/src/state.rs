//! State of the screen: the latest picture, and the user's selections.

use pgas_base::models::Words;
use pgas_monitor::{Now, Picture};
use pgas_screen::Theme;
use ratatui::layout::Rect;

use crate::history::History;

/// Lists that the user can choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Threads,
    Waits,
    Operations,
    Metrics,
    /// Of programs of tasks.
    Tasks,
}

impl Tab {
    pub const ALL: [Tab; 5] = [
        Tab::Threads,
        Tab::Waits,
        Tab::Operations,
        Tab::Metrics,
        Tab::Tasks,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Tab::Threads => "Threads",
            Tab::Waits => "Waits",
            Tab::Operations => "Operations",
            Tab::Metrics => "Metrics",
            Tab::Tasks => "Tasks",
        }
    }
}

/// Order of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Number,
    /// Those that compute least first.
    Efficiency,
    /// Those that have been in their activity for longest first.
    Longest,
}

impl Order {
    pub fn next(self) -> Self {
        match self {
            Order::Number => Order::Efficiency,
            Order::Efficiency => Order::Longest,
            Order::Longest => Order::Number,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Order::Number => "by number",
            Order::Efficiency => "least computing first",
            Order::Longest => "longest in one activity first",
        }
    }
}

/// The screen.
pub struct State {
    pub theme: Theme,
    /// What the program's model calls its threads.
    pub words: Words,
    /// The program's experiment.
    pub program: String,
    pub area: Rect,
    /// The latest, unless it is held.
    pub picture: Option<Picture>,
    /// Findings of the online search, as sentences.
    pub findings: Vec<String>,
    pub history: History,
    pub tab: Tab,
    pub order: Order,
    /// The selected line of the list.
    pub selected: usize,
    /// The first line of the list that is visible.
    pub top: usize,
    /// New pictures are not shown.
    pub is_held: bool,
    pub is_help: bool,
    /// Reason for which no more pictures follow.
    pub over: Option<String>,
}

impl State {
    pub fn new(theme: Theme, words: Words, program: String, area: Rect) -> Self {
        State {
            theme,
            words,
            program,
            area,
            picture: None,
            findings: Vec::new(),
            history: History::new(),
            tab: Tab::Threads,
            order: Order::Number,
            selected: 0,
            top: 0,
            is_held: false,
            is_help: false,
            over: None,
        }
    }

    /// Takes over the picture of a period and the findings so far.
    pub fn take(&mut self, picture: Picture, findings: Vec<String>) {
        // The first picture has no period before it.
        if picture.period > 0.0 {
            self.history.add(picture.efficiency);
        }
        if !self.is_held {
            self.picture = Some(picture);
            self.findings = findings;
        }
    }

    /// The lists that there are: tasks only in programs of tasks.
    pub fn tabs(&self) -> &'static [Tab] {
        let has_tasks = self.picture.as_ref().is_some_and(|one| one.tasks.is_some());
        match has_tasks {
            true => &Tab::ALL,
            false => &Tab::ALL[..Tab::ALL.len() - 1],
        }
    }

    /// Threads in the order that was chosen.
    pub fn threads(&self) -> Vec<&Now> {
        let now = self.picture.iter().flat_map(|picture| &picture.now);
        let mut threads: Vec<&Now> = now.collect();
        match self.order {
            Order::Number => threads.sort_by_key(|now| now.thread),
            Order::Efficiency => threads.sort_by(|a, b| {
                let share = |now: &Now| now.efficiency.unwrap_or(2.0);
                share(a).total_cmp(&share(b))
            }),
            Order::Longest => threads.sort_by(|a, b| b.seconds.total_cmp(&a.seconds)),
        }
        threads
    }
}

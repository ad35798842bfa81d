//! The whole state, and how inputs change it. What leads from one screen to another is in [`super::go`].

use pgas_cube::model::MetricId;
use pgas_cube::values::Extent;
use ratatui::layout::Rect;

use super::popup::Closed;
use super::source::line_count;
use super::{findings, Choice, ListAndText, Matrix, Popup, Source, Threads, Trees};
use crate::document::Document;
use crate::draw::{self, Theme};
use crate::input::{Command, Input};

/// What fills the screen.
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

/// What to do after an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Continue,
    Quit,
    /// Give the terminal back to the shell for a while.
    Suspend,
}

/// A text that is being searched for while it is typed.
#[derive(Debug, Clone)]
struct Prompt {
    text: String,
    before: Box<Places>,
}

/// What a search moves.
#[derive(Debug, Clone)]
struct Places {
    findings: ListAndText,
    trees: Trees,
    source: Source,
    threads: Threads,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct App {
    pub theme: Theme,
    /// The terminal's size.
    pub area: Rect,
    pub screen: Screen,
    pub popup: Option<Popup>,
    /// What the user has to be told.
    pub message: Option<String>,
    pub findings: ListAndText,
    pub trees: Trees,
    pub source: Source,
    pub threads: Threads,
    pub iterations: ListAndText,
    pub matrix: Matrix,
    prompt: Option<Prompt>,
    search: Option<String>,
    /// A profile has been seen, and the screens are set up for it.
    unfolded: bool,
    /// The user has chosen a source line; else the most expensive one is shown.
    pub(super) placed: bool,
}

impl App {
    pub fn new(theme: Theme, area: Rect) -> Self {
        App {
            theme,
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

    /// Whether a text is looked for, so that there is a next match.
    pub fn searched(&self) -> Option<&str> {
        self.search.as_deref()
    }

    /// Applies an input; all that follows from it is done when this returns.
    pub fn update(&mut self, document: &Document, input: Input) -> Next {
        let next = match input {
            Input::Resize { columns, rows } => {
                self.area = Rect::new(0, 0, columns, rows);
                Next::Continue
            }
            _ => {
                self.message = None;
                self.apply(document, input)
            }
        };
        self.refresh(document);
        next
    }

    /// Brings what depends on something else up to date. To be called also when the document has changed.
    pub fn refresh(&mut self, document: &Document) {
        let Some(profile) = &document.profile else {
            let list = self.list_height(document);
            self.findings.cursor.settle(document.findings().len(), list);
            return;
        };
        if !self.unfolded {
            self.trees.unfold(profile, self.tree_height());
            self.unfolded = true;
        }
        match self.screen {
            Screen::Findings => {
                let list = self.list_height(document);
                self.findings.cursor.settle(document.findings().len(), list);
                let (height, lines) = self.finding_text(document);
                self.findings.text_top = self.findings.text_top.min(lines.saturating_sub(height));
            }
            Screen::Trees => self.trees.refresh(profile, self.tree_height()),
            Screen::Source => {
                let metric = self.trees.metric();
                if !self.placed {
                    self.placed = true;
                    if let Some((file, line)) = Source::hottest(profile, metric) {
                        self.source.show(profile, file, line, self.source_height());
                    }
                }
                self.source.refresh(profile, metric);
                let count = profile.files.get(self.source.file).map_or(0, line_count);
                self.source.cursor.settle(count, self.source_height());
            }
            Screen::Threads => {
                self.threads.refresh(profile);
                let count = self.threads.rows().len();
                self.threads.cursor.settle(count, self.thread_height());
            }
            Screen::Iterations => {
                let count = document.summary.phases.len();
                let list = self.loop_height(document);
                self.iterations.cursor.settle(count, list);
                let (height, lines) = self.loop_text(document);
                self.iterations.text_top =
                    self.iterations.text_top.min(lines.saturating_sub(height));
            }
            Screen::Matrix => {
                if let Some(communication) = &document.summary.communication {
                    let threads = communication.by_thread.len();
                    let (height, width) = self.matrix_size(threads);
                    self.matrix.row.settle(threads, height);
                    self.matrix.column.settle(threads, width);
                }
            }
        }
    }

    fn apply(&mut self, document: &Document, input: Input) -> Next {
        match input {
            Input::Command(Command::Suspend) => return Next::Suspend,
            Input::Click { column, row } => self.click(document, column, row),
            Input::Scroll { column, row, lines } => self.scroll(document, column, row, lines),
            _ if self.prompt.is_some() => return self.type_text(document, input),
            Input::Command(command) if self.popup.is_some() => self.in_popup(document, command),
            Input::Command(command) => return self.command(document, command),
            _ => {}
        }
        Next::Continue
    }

    fn command(&mut self, document: &Document, command: Command) -> Next {
        match command {
            Command::Quit => return Next::Quit,
            Command::Help => self.popup = Some(Popup::Help { top: 0 }),
            Command::Screen(number) => {
                if let Some(screen) = Screen::ALL.get(number) {
                    self.screen = *screen;
                }
            }
            Command::Search => {
                let before = Box::new(self.places());
                self.prompt = Some(Prompt {
                    text: String::new(),
                    before,
                });
            }
            Command::NextMatch => self.next_match(document, true),
            Command::PreviousMatch => self.next_match(document, false),
            Command::Explain => self.explain(document),
            Command::ShowSource => self.show_source(document),
            Command::ShowTrees => self.show_trees(document),
            Command::ChooseMetric => self.choose_metric(document),
            Command::ChooseFile => self.choose_file(document),
            _ => {
                if !self.on_screen(document, command) && command == Command::Back {
                    self.search = None;
                }
            }
        }
        Next::Continue
    }

    /// What a command means on the screen that is shown; whether it means something.
    pub(super) fn on_screen(&mut self, document: &Document, command: Command) -> bool {
        let profile = document.profile.as_ref();
        match (self.screen, profile) {
            (Screen::Findings, _) => {
                let text = self.finding_text(document);
                let list = self.list_height(document);
                let count = document.findings().len();
                let on_list = !self.findings.reading;
                match command {
                    Command::Enter if !on_list => {
                        self.show_source(document);
                        true
                    }
                    _ => self.findings.apply(command, count, list, text),
                }
            }
            (Screen::Trees, Some(profile)) => {
                self.trees.apply(command, profile, self.tree_height())
            }
            (Screen::Source, Some(profile)) => match command {
                Command::Enter => {
                    self.show_trees(document);
                    true
                }
                _ => self.source.apply(command, profile, self.source_height()),
            },
            (Screen::Threads, Some(_)) => self.threads.apply(command, self.thread_height()),
            (Screen::Iterations, _) => {
                let list = self.loop_height(document);
                let text = self.loop_text(document);
                let count = document.summary.phases.len();
                self.iterations.apply(command, count, list, text)
            }
            (Screen::Matrix, _) => match &document.summary.communication {
                Some(communication) => {
                    let (height, width) = self.matrix_size(communication.by_thread.len());
                    self.matrix.apply(command, communication, height, width)
                }
                None => false,
            },
            _ => false,
        }
    }

    pub(super) fn in_popup(&mut self, document: &Document, command: Command) {
        let Some(mut popup) = self.popup.take() else {
            return;
        };
        let (lines, height) = draw::popup_lines(self, document, &popup);
        match popup.apply(command, lines, height) {
            Closed::No => self.popup = Some(popup),
            Closed::Yes => {}
            Closed::Chosen(choice, index) => self.chosen(document, choice, index),
        }
    }

    pub(super) fn chosen(&mut self, document: &Document, choice: Choice, index: usize) {
        let Some(profile) = &document.profile else {
            return;
        };
        match choice {
            Choice::Metric => self.trees.choose_metric(profile, MetricId(index)),
            Choice::File => {
                let metric = self.trees.metric();
                let values = profile.line_values(index, metric, Extent::Exclusive);
                let most = values.iter().max_by(|a, b| a.1.total_cmp(b.1));
                let line = most.map_or(1, |(line, _)| *line);
                self.source.show(profile, index, line, self.source_height());
            }
        }
    }

    fn type_text(&mut self, document: &Document, input: Input) -> Next {
        let Some(mut prompt) = self.prompt.take() else {
            return Next::Continue;
        };
        match input {
            Input::Command(Command::Quit) => return Next::Quit,
            Input::Command(Command::Back) => {
                self.restore(*prompt.before);
                return Next::Continue;
            }
            Input::Command(Command::Enter) => {
                if !prompt.text.is_empty() {
                    self.search = Some(prompt.text);
                }
                return Next::Continue;
            }
            Input::Command(Command::NextMatch | Command::PreviousMatch) => {
                let forward = input == Input::Command(Command::NextMatch);
                self.find(document, &prompt.text, forward, false);
                self.prompt = Some(prompt);
                return Next::Continue;
            }
            Input::Letter(letter) => prompt.text.push(letter),
            Input::EraseLetter if prompt.text.is_empty() => return Next::Continue,
            Input::EraseLetter => {
                prompt.text.pop();
            }
            Input::EraseAll => prompt.text.clear(),
            _ => {}
        }
        // What is typed moves the place from where it was, not from where fewer letters had led.
        self.restore((*prompt.before).clone());
        if !prompt.text.is_empty() {
            self.find(document, &prompt.text, true, true);
        }
        self.prompt = Some(prompt);
        Next::Continue
    }

    fn places(&self) -> Places {
        Places {
            findings: self.findings.clone(),
            trees: self.trees.clone(),
            source: self.source.clone(),
            threads: self.threads.clone(),
        }
    }

    fn restore(&mut self, places: Places) {
        self.findings = places.findings;
        self.trees = places.trees;
        self.source = places.source;
        self.threads = places.threads;
    }

    fn next_match(&mut self, document: &Document, forward: bool) {
        match self.search.clone() {
            Some(text) => self.find(document, &text, forward, false),
            None => self.message = Some("nothing is searched for: / begins".to_owned()),
        }
    }

    fn find(&mut self, document: &Document, text: &str, forward: bool, stay: bool) {
        let profile = document.profile.as_ref();
        let found = match (self.screen, profile) {
            (Screen::Findings, _) => {
                findings::search(&mut self.findings, document, text, (forward, stay))
            }
            (Screen::Trees, Some(profile)) => self.trees.search(profile, text, forward, stay),
            (Screen::Source, Some(profile)) => {
                let height = self.source_height();
                self.source.search(profile, text, (forward, stay), height)
            }
            (Screen::Threads, Some(profile)) => {
                let height = self.thread_height();
                self.threads.search(profile, text, (forward, stay), height)
            }
            _ => {
                self.message = Some("there is nothing to search on this screen".to_owned());
                return;
            }
        };
        if !found {
            self.message = Some(format!("no match for {text}"));
        }
    }
}

//! Application of inputs to the state: [`App::update`]. Lists and texts move by as many lines as
//! [`crate::draw`] shows of them.

mod go;
mod mouse;
mod search;
mod sizes;

use pgas_cube::model::MetricId;
use pgas_cube::values::Extent;
use ratatui::layout::Rect;

use crate::document::Document;
use crate::draw;
use crate::input::{Command, Input};
use crate::state::{App, Choice, Closed, Next, Popup, Screen, Source, source_lines};

impl App {
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

    /// Brings what depends on something else up to date. To be called also when the document has
    /// changed.
    pub fn refresh(&mut self, document: &Document) {
        let Some(profile) = &document.profile else {
            let list = self.list_height(document);
            self.findings.cursor.settle(document.entries(), list);
            return;
        };
        if !self.unfolded {
            self.trees.unfold(profile, self.tree_height());
            self.unfolded = true;
        }
        match self.screen {
            Screen::Findings => {
                let list = self.list_height(document);
                self.findings.cursor.settle(document.entries(), list);
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
                let count = profile.files.get(self.source.file).map_or(0, source_lines);
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
                } else if let Some(tasks) = &document.summary.tasks {
                    let height = self.task_height();
                    self.matrix.row.settle(draw::task_lines(tasks), height);
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
            Command::Search => self.begin_search(),
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

    /// Applies a command to the screen that is shown; whether the command means something there.
    pub(super) fn on_screen(&mut self, document: &Document, command: Command) -> bool {
        let profile = document.profile.as_ref();
        match (self.screen, profile) {
            (Screen::Findings, _) => {
                let text = self.finding_text(document);
                let list = self.list_height(document);
                let count = document.entries();
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
                None => match (&document.summary.tasks, command) {
                    (Some(tasks), Command::Move(motion)) => {
                        let height = self.task_height();
                        let lines = draw::task_lines(tasks);
                        self.matrix.row.go(motion, lines, height);
                        true
                    }
                    _ => false,
                },
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
}

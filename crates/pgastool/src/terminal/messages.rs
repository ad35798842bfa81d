//! Messages to the user beside results: to stderr, with one word in front that names the kind of
//! message.

use super::escape::visible;
use super::options::{Color, Global};
use super::progress::Progress;
use crate::failure::Failure;
use anstream::ColorChoice;
use owo_colors::OwoColorize;
use std::fmt::Display;
use std::io::{IsTerminal, Write};

/// How much is said.
#[derive(Debug, Clone, Copy)]
pub struct Ui {
    pub quiet: bool,
    pub verbose: bool,
    color: Color,
}

impl Ui {
    pub fn new(global: &Global) -> Self {
        match global.color {
            Color::Auto => {}
            Color::Always => ColorChoice::Always.write_global(),
            Color::Never => ColorChoice::Never.write_global(),
        }
        Self {
            quiet: global.quiet,
            verbose: global.verbose,
            color: global.color,
        }
    }

    /// The options that make another process of this tool speak in the same way.
    pub fn options(&self) -> Vec<&'static str> {
        let mut options = vec![match self.color {
            Color::Auto => "--color=auto",
            Color::Always => "--color=always",
            Color::Never => "--color=never",
        }];
        if self.quiet {
            options.push("--quiet");
        }
        if self.verbose {
            options.push("--verbose");
        }
        options
    }

    /// A completed action, such as writing a file; not with `--quiet`.
    pub fn note(&self, text: impl Display) {
        if !self.quiet {
            say("pgastool:".dimmed(), text);
        }
    }

    /// A command that is run, for those who want to see it.
    pub fn command(&self, text: impl Display) {
        if self.verbose {
            say("+".dimmed(), text);
        }
    }

    /// A line without a word in front.
    pub fn line(&self, text: impl Display) {
        let _ = writeln!(anstream::stderr(), "{}", visible(&text.to_string()));
    }

    /// Something that is not as it should be, but does not stop the work.
    pub fn warning(&self, text: impl Display) {
        if !self.quiet {
            say("warning:".yellow().bold(), text);
        }
    }

    pub fn failure(&self, failure: &Failure) {
        say("error:".red().bold(), &failure.message);
        if let Some(help) = &failure.help {
            say(" help:".green().bold(), help);
        }
    }

    /// Whether what goes to stdout is to be coloured.
    pub fn color_on_stdout(&self) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal()
                    && anstream::AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
            }
        }
    }

    /// Whether a file gets colour: only if the user asked for it explicitly.
    pub fn color_in_files(&self) -> bool {
        self.color == Color::Always
    }

    /// Progress of work that is called `what`, with the speed if the number of `events` is known;
    /// appears after a second, on a terminal.
    pub fn progress(&self, what: &'static str, events: impl Into<Option<u64>>) -> Progress {
        Progress::new(what, events.into(), !self.quiet)
    }
}

/// Writes a message to standard error. Nobody is left to be told if that is closed or full.
fn say(label: impl Display, text: impl Display) {
    let text = visible(&text.to_string());
    let _ = writeln!(anstream::stderr(), "{label} {text}");
}

//! Messages to the user beside results: to stderr, with one word in front that names the kind of
//! message.

use crate::cli::{Color, Global};
use crate::failure::Failure;
use crate::report::unicode_locale;
use anstream::ColorChoice;
use indicatif::ProgressState;
use owo_colors::OwoColorize;
use pgas_base::quantity;
use pgas_report::printable;
use std::fmt::{Display, Write};
use std::io::IsTerminal;

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

    /// What was done.
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
        use std::io::Write;
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

    /// Whether a file gets colour: only if it was asked for in so many words.
    pub fn color_in_files(&self) -> bool {
        self.color == Color::Always
    }

    /// Progress of something that takes `what`, with the speed if it is about so many `events`; appears after a second, on
    /// a terminal.
    pub fn progress(&self, what: &'static str, events: impl Into<Option<u64>>) -> Progress {
        Progress {
            started: std::time::Instant::now(),
            what,
            events: events.into(),
            wanted: !self.quiet && std::io::stderr().is_terminal(),
            bar: std::sync::OnceLock::new(),
        }
    }
}

/// Writes a message to standard error. Nobody is left to be told if that is closed or full.
fn say(label: impl Display, text: impl Display) {
    use std::io::Write;
    let text = visible(&text.to_string());
    let _ = writeln!(anstream::stderr(), "{label} {text}");
}

/// Text that may contain names of others, safe for a terminal: control characters show as their pictures. Line feeds and
/// this tool's own colours stay.
pub fn visible(text: &str) -> String {
    let ascii = !unicode_locale();
    let line = |line: &str| {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find('\x1b') {
            out += &printable(&rest[..at].replace('\t', "    "), ascii);
            rest = &rest[at..];
            // ESC [ numbers m
            let end = rest.strip_prefix("\x1b[").and_then(|colors| {
                let end = colors.find(|c: char| !c.is_ascii_digit() && c != ';')?;
                colors[end..].starts_with('m').then_some(end + 3)
            });
            match end {
                Some(end) => out += &rest[..end],
                None => out += &printable("\x1b", ascii),
            }
            rest = &rest[end.unwrap_or(1)..];
        }
        out + &printable(&rest.replace('\t', "    "), ascii)
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A bar that appears once the work has taken more than a second.
pub struct Progress {
    started: std::time::Instant,
    what: &'static str,
    events: Option<u64>,
    wanted: bool,
    bar: std::sync::OnceLock<indicatif::ProgressBar>,
}

impl Progress {
    /// `fraction` of the work is done, 0 to 1.
    pub fn set(&self, fraction: f64) {
        if !self.wanted || self.started.elapsed().as_secs_f64() < 1.0 {
            return;
        }
        let steps = self.events.unwrap_or(1000);
        let bar = self.bar.get_or_init(|| {
            let template = match self.events {
                Some(_) => "{msg} [{wide_bar}] {percent:>3} %, {speed}, {eta} left",
                None => "{msg} [{wide_bar}] {percent:>3} %, {eta} left",
            };
            let style = indicatif::ProgressStyle::with_template(template)
                .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar())
                .with_key("speed", |state: &ProgressState, text: &mut dyn Write| {
                    let speed = state.pos() as f64 / state.elapsed().as_secs_f64();
                    // What cannot be written is not shown.
                    let _ = write!(text, "{} events/s", quantity::count(speed));
                });
            indicatif::ProgressBar::new(steps)
                .with_style(style.progress_chars("=> "))
                .with_message(self.what)
                .with_elapsed(self.started.elapsed())
        });
        bar.set_position((fraction.clamp(0.0, 1.0) * steps as f64) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_of_text_act_on_a_terminal() {
        let text = "\x1b[1;31mbold\x1b[0m\ta\r\x1b[2J\x1b]0;title\x07\nnext";
        let shown = visible(text);
        assert!(shown.starts_with("\x1b[1;31mbold\x1b[0m    a"), "{shown:?}");
        assert!(shown.ends_with("\nnext"), "{shown:?}");
        for bad in ["\r", "\x1b[2J", "\x1b]", "\x07"] {
            assert!(!shown.contains(bad), "{shown:?}");
        }
    }
}

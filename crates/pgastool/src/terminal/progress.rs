//! Progress bar of long work.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use pgas_base::quantity;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::Instant;

/// A bar that appears once the work has taken more than a second.
pub struct Progress {
    started: Instant,
    what: &'static str,
    events: Option<u64>,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Of work that is called `what`, with the speed if the number of `events` is known. Nothing
    /// appears unless it is `wanted` and standard error is a terminal.
    pub fn new(what: &'static str, events: Option<u64>, wanted: bool) -> Self {
        Progress {
            started: Instant::now(),
            what,
            events,
            wanted: wanted && std::io::stderr().is_terminal(),
            bar: OnceLock::new(),
        }
    }

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
            let style = ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .with_key("speed", |state: &ProgressState, text: &mut dyn Write| {
                    let speed = state.pos() as f64 / state.elapsed().as_secs_f64();
                    // If the write fails, the speed is left out.
                    let _ = write!(text, "{} events/s", quantity::count(speed));
                });
            ProgressBar::new(steps)
                .with_style(style.progress_chars("=> "))
                .with_message(self.what)
                .with_elapsed(self.started.elapsed())
        });
        bar.set_position((fraction.clamp(0.0, 1.0) * steps as f64) as u64);
    }

    /// Text beside the name of the work.
    pub fn say(&self, now: &str) {
        if let Some(bar) = self.bar.get() {
            bar.set_message(format!("{} {now}", self.what));
        }
    }

    /// Prints something on the terminal while the bar is out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

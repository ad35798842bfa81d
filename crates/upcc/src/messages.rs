//! Showing messages about the program on standard error, as the options ask for: colours, `-w`,
//! `-Werror`, `-fmax-errors=N`.

use std::io::{IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use pgas_upc::{Diagnostic, Severity};

use crate::request::Request;

/// Number of errors that are shown without `-fmax-errors`.
const MAX_ERRORS: usize = 20;

/// How messages are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Messages {
    color: ColorChoice,
    warnings: bool,
    warnings_are_errors: bool,
    /// `None`: all.
    max_errors: Option<usize>,
}

impl Messages {
    /// The choice of the command line; later options win.
    pub fn new(request: &Request) -> Self {
        let mut found = Messages {
            color: ColorChoice::Auto,
            warnings: !request.no_warnings,
            warnings_are_errors: false,
            max_errors: Some(MAX_ERRORS),
        };
        for option in &request.general {
            let option = option.to_string_lossy();
            match option.as_ref() {
                "-fdiagnostics-color" | "-fdiagnostics-color=always" => {
                    found.color = ColorChoice::Always
                }
                "-fno-diagnostics-color" | "-fdiagnostics-color=never" => {
                    found.color = ColorChoice::Never
                }
                "-fdiagnostics-color=auto" => found.color = ColorChoice::Auto,
                "-Werror" => found.warnings_are_errors = true,
                "-Wno-error" => found.warnings_are_errors = false,
                "-Wfatal-errors" => found.max_errors = Some(1),
                "-Wno-fatal-errors" => found.max_errors = Some(MAX_ERRORS),
                _ => {
                    if let Some(n) = option.strip_prefix("-fmax-errors=") {
                        found.max_errors = n.parse().ok().filter(|n| *n > 0);
                    }
                }
            }
        }
        found
    }

    /// Whether standard error takes colours.
    pub fn colored(&self) -> bool {
        match self.color {
            ColorChoice::Auto => {
                std::io::stderr().is_terminal()
                    && AutoStream::choice(&std::io::stderr()) != ColorChoice::Never
            }
            other => other != ColorChoice::Never,
        }
    }

    /// Shows messages of the UPC compiler; returns whether they are errors.
    pub fn show(&self, diagnostics: &[Diagnostic]) -> bool {
        let (mut shown, mut more, mut failed) = (0, 0, false);
        for diagnostic in diagnostics {
            let mut diagnostic = diagnostic.clone();
            if diagnostic.severity == Severity::Warning {
                if !self.warnings {
                    continue;
                }
                if self.warnings_are_errors {
                    diagnostic.severity = Severity::Error;
                    diagnostic.message += " [-Werror]";
                }
            }
            if diagnostic.severity == Severity::Error {
                failed = true;
                if self.max_errors.is_some_and(|max| shown >= max) {
                    more += 1;
                    continue;
                }
                shown += 1;
            }
            self.write(&diagnostic.render(true));
        }
        if more > 0 {
            let noun = if more == 1 { "error is" } else { "errors are" };
            self.write(&format!(
                "{more} more {noun} not shown (-fmax-errors={shown})"
            ));
        }
        failed
    }

    /// Writes lines; their colours are left out where they are not wanted.
    pub fn write(&self, text: &str) {
        let choice = match self.colored() {
            true => ColorChoice::Always,
            false => ColorChoice::Never,
        };
        let mut stderr = AutoStream::new(std::io::stderr(), choice);
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(stderr, "{text}");
    }
}

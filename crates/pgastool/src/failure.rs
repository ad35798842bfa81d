//! The end of a command: an exit status, or a failure with its reason and a way out.

use std::fmt::Display;

/// Exit status after wrong usage or unusable input.
pub const UNUSABLE: u8 = 2;

/// An exit status, or the reason why there is no result.
pub type Outcome = Result<u8, Failure>;

/// Message for the user, and the exit status.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    /// Advice on how to proceed.
    pub help: Option<String>,
    pub status: u8,
}

impl Failure {
    /// Wrong usage or unusable input.
    pub fn new(message: impl Display) -> Self {
        Self {
            message: message.to_string(),
            help: None,
            status: UNUSABLE,
        }
    }

    pub fn help(mut self, help: impl Display) -> Self {
        self.help = Some(help.to_string());
        self
    }
}

/// Any error of a library, with the errors that caused it.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            // Some libraries repeat the cause in their own text.
            if !message.contains(&cause_text) {
                message = format!("{message}: {cause_text}");
            }
            source = cause.source();
        }
        Self::new(message)
    }
}

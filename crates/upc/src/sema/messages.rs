//! Messages about the program, each once. Their places are tokens; [`crate::locate`] finds those in
//! the user's files.

use crate::diagnostic::{Diagnostic, Note, Place, Severity};
use crate::syntax::token::*;
use std::collections::HashSet;

/// A message while the program is compiled: its place is tokens.
#[derive(Clone, Debug)]
pub struct Pending {
    /// All but the places.
    pub diagnostic: Diagnostic,
    /// First token that it is about.
    pub lo: TokIdx,
    /// One after the last token.
    pub hi: TokIdx,
    /// Places of notes, in the order of the diagnostic's notes.
    pub notes: Vec<TokIdx>,
    /// File and line, where it is not about tokens.
    pub at: Option<(u32, u32)>,
}

/// See the module.
#[derive(Default)]
pub struct Messages {
    list: Vec<Pending>,
    /// Errors among them.
    errors: usize,
    /// Where which text was reported.
    reported: HashSet<(TokIdx, String)>,
    /// A syntax error was reported: what was not understood may declare names.
    pub syntax_error: bool,
}

impl Messages {
    /// Number of messages.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Number of errors among them.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All messages.
    pub fn take(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.list)
    }

    /// Adds a message about tokens `lo` to before `hi`, unless the same was reported at `lo`. An
    /// empty `rule` or `hint` is none.
    pub fn add(
        &mut self,
        severity: Severity,
        (lo, hi): (TokIdx, TokIdx),
        message: &str,
        rule: &str,
        hint: &str,
    ) {
        if self.reported.insert((lo, message.to_owned())) {
            self.push(severity, (lo, hi), None, message, rule, hint);
        }
    }

    /// Adds a warning about a line of a file, given by its number in the list of files.
    pub fn warn_of_line(&mut self, at: (u32, u32), message: &str, rule: &str, hint: &str) {
        self.push(Severity::Warning, (0, 1), Some(at), message, rule, hint);
    }

    fn push(
        &mut self,
        severity: Severity,
        (lo, hi): (TokIdx, TokIdx),
        at: Option<(u32, u32)>,
        message: &str,
        rule: &str,
        hint: &str,
    ) {
        let text = |s: &str| (!s.is_empty()).then(|| s.to_owned());
        self.errors += usize::from(severity == Severity::Error);
        self.list.push(Pending {
            diagnostic: Diagnostic {
                severity,
                file: String::new(),
                line: 0,
                column: 0,
                length: 1,
                message: message.to_owned(),
                rule: text(rule),
                hint: text(hint),
                source_line: None,
                included_from: Vec::new(),
                notes: Vec::new(),
            },
            lo,
            hi,
            notes: Vec::new(),
            at,
        });
    }

    /// Adds a place to the message that was reported last.
    pub fn note(&mut self, token: TokIdx, message: &str) {
        if let Some(last) = self.list.last_mut() {
            let same = |n: (&TokIdx, &Note)| *n.0 == token && n.1.message == message;
            if last.notes.iter().zip(&last.diagnostic.notes).any(same) {
                return;
            }
            last.notes.push(token);
            last.diagnostic.notes.push(Note {
                place: Place::default(),
                message: message.to_owned(),
            });
        }
    }
}

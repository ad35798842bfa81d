//! Messages about the user's program: where, what is wrong, which rule of the language says so, and
//! what to do. [`crate::locate`] finds the places in the user's files; this module shows them.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// No C was produced.
    Error,
    /// C was produced.
    Warning,
}

/// A place in a source file, with the line that is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Source file as the preprocessor named it.
    pub file: String,
    /// Line in that file, from 1.
    pub line: u32,
    /// Column on the screen in that line, from 1, tab stops every 8; 0 if it is not known.
    pub column: u32,
    /// Number of columns that are marked; at least 1.
    pub length: u32,
    /// Text of the line with its tabs expanded, if it is known.
    pub source_line: Option<String>,
}

/// Something that belongs to a message and is found elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// Description of the place.
    pub message: String,
}

/// One message about the user's program.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Source file as the preprocessor named it.
    pub file: String,
    /// Line in that file, from 1.
    pub line: u32,
    /// Column on the screen in that line, from 1, tab stops every 8; 0 if it is not known.
    pub column: u32,
    /// Number of columns that are marked; at least 1.
    pub length: u32,
    /// Text with the finding and the expectation.
    pub message: String,
    /// The rule of the language, e.g. "UPC 1.3, 6.5.1.1".
    pub rule: Option<String>,
    /// A remedy.
    pub hint: Option<String>,
    /// Text of the source line with its tabs expanded, if it is known.
    pub source_line: Option<String>,
    /// Files that include this one and the lines on which they do, the innermost first.
    pub included_from: Vec<(String, u32)>,
    /// Other places that belong to it.
    pub notes: Vec<Note>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

fn paint(color: bool, code: &str, text: &str) -> String {
    match color {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

impl Place {
    /// `file:line:column:`
    fn head(&self) -> String {
        match self.column {
            0 => format!("{}:{}:", self.file, self.line),
            column => format!("{}:{}:{}:", self.file, self.line, column),
        }
    }

    /// The source line and below it a mark, each after a line break; nothing if the line is not
    /// known.
    fn excerpt(&self, color: bool) -> String {
        let Some(line) = &self.source_line else {
            return String::new();
        };
        let mut out = format!("\n{:5} | {}", self.line, line);
        if self.column > 0 {
            let marks = "~".repeat((self.length.max(1) - 1).min(200) as usize);
            let mark = paint(color, "1;32", &format!("^{marks}"));
            out += &format!("\n      | {}{}", " ".repeat(self.column as usize - 1), mark);
        }
        out
    }
}

impl Note {
    /// The note as lines of text, as [`Diagnostic::render`] shows it.
    pub fn render(&self, color: bool) -> String {
        format!(
            "{} {} {}{}",
            paint(color, "1", &self.place.head()),
            paint(color, "1;36", "note:"),
            self.message,
            self.place.excerpt(color)
        )
    }
}

impl Diagnostic {
    /// Where it is.
    pub fn place(&self) -> Place {
        Place {
            file: self.file.clone(),
            line: self.line,
            column: self.column,
            length: self.length,
            source_line: self.source_line.clone(),
        }
    }

    /// The message as lines of text for a person: place and message, source line with a mark below
    /// it, rule, hint and notes; `color` adds escape sequences of a terminal. Without a line
    /// break at its end.
    pub fn render(&self, color: bool) -> String {
        let (word, code) = match self.severity {
            Severity::Error => ("error:", "1;31"),
            Severity::Warning => ("warning:", "1;35"),
        };
        let mut out = String::new();
        for (i, (file, line)) in self.included_from.iter().enumerate() {
            let begin = if i == 0 {
                "In file included from"
            } else {
                "                 from"
            };
            let end = if i + 1 == self.included_from.len() {
                ":\n"
            } else {
                ",\n"
            };
            let place = paint(color, "1", &format!("{file}:{line}"));
            out += &format!("{begin} {place}{end}");
        }
        let place = self.place();
        out += &format!(
            "{} {} {}{}",
            paint(color, "1", &place.head()),
            paint(color, code, word),
            paint(color, "1", &self.message),
            place.excerpt(color)
        );
        if let Some(rule) = &self.rule {
            out += &format!("\n      = rule: {rule}");
        }
        if let Some(hint) = &self.hint {
            out += &format!("\n      = help: {hint}");
        }
        for note in &self.notes {
            out.push('\n');
            out += &note.render(color);
        }
        out
    }
}

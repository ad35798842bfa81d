//! Messages about the user's program: where, what is wrong, which rule of the language says so, and what to do.

use std::collections::HashMap;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// No C was produced.
    Error,
    /// C was produced.
    Warning,
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
    /// Column in that line, from 1; 0 if it is not known.
    pub column: u32,
    /// Number of characters that are marked; at least 1.
    pub length: u32,
    /// What was found and what was expected.
    pub message: String,
    /// The rule of the language, e.g. "UPC 1.3, 6.5.1.1".
    pub rule: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Text of the source line, if the file could be read.
    pub source_line: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl Diagnostic {
    /// The message as lines of text for a person: place and message, source line with a mark below it, rule and
    /// hint; `color` adds escape sequences of a terminal. Without a line break at its end.
    pub fn render(&self, color: bool) -> String {
        let paint = |code: &str, text: &str| match color {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        };
        let (word, code) = match self.severity {
            Severity::Error => ("error:", "1;31"),
            Severity::Warning => ("warning:", "1;35"),
        };
        let place = match self.column {
            0 => format!("{}:{}:", self.file, self.line),
            column => format!("{}:{}:{}:", self.file, self.line, column),
        };
        let mut out = format!(
            "{} {} {}",
            paint("1", &place),
            paint(code, word),
            paint("1", &self.message)
        );
        if let Some(line) = &self.source_line {
            out += &format!("\n{:5} | {}", self.line, line.replace('\t', " "));
            if self.column > 0 {
                let marks = "~".repeat((self.length.max(1) - 1).min(200) as usize);
                let mark = paint("1;32", &format!("^{marks}"));
                out += &format!("\n      | {}{}", " ".repeat(self.column as usize - 1), mark);
            }
        }
        if let Some(rule) = &self.rule {
            out += &format!("\n      = rule: {rule}");
        }
        if let Some(hint) = &self.hint {
            out += &format!("\n      = help: {hint}");
        }
        out
    }
}

/// Reads the source lines of messages and finds the columns there: macros were expanded in the text that was
/// compiled. Until then `source_line` holds the token that the message is about.
pub(crate) fn locate(messages: &mut [Diagnostic]) {
    let mut files: HashMap<String, Option<Vec<String>>> = HashMap::new();
    for d in messages {
        let token = d.source_line.take().unwrap_or_default();
        let lines = files.entry(d.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&d.file).ok()?;
            Some(
                String::from_utf8_lossy(&bytes)
                    .lines()
                    .map(str::to_owned)
                    .collect(),
            )
        });
        let Some(line) = lines
            .as_ref()
            .and_then(|l| l.get((d.line as usize).checked_sub(1)?))
        else {
            continue;
        };
        d.source_line = Some(line.clone());
        let at = d.column as usize - 1;
        if line.get(at..).is_some_and(|rest| rest.starts_with(&token)) {
            continue;
        }
        match line
            .match_indices(&token)
            .min_by_key(|(i, _)| i.abs_diff(at))
        {
            Some((i, _)) if !token.is_empty() => {
                d.column = i as u32 + 1;
                d.length = token.len() as u32;
            }
            // The token came out of a macro.
            _ => d.column = 0,
        }
    }
}

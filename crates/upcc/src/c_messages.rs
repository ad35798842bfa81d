//! Messages of the C compiler, brought back to the user's source: a message about generated C
//! gets the place in the UPC source that the C was made from, and speaks of UPC instead of the
//! names that generated C uses.

use std::collections::HashSet;

use pgas_upc::{Diagnostic, Note, Origins, Severity};

/// A message: its first line, and the lines that belong to it.
struct Message<'t> {
    file: &'t str,
    line: u32,
    column: u32,
    kind: &'t str,
    text: &'t str,
}

/// Kinds of messages, as both GCC and Clang spell them.
const KINDS: [&str; 4] = ["fatal error", "error", "warning", "note"];

/// Rewrites the C compiler's standard error. `color` is whether our own part has colours.
pub fn rewrite(raw: &str, origins: &Origins<'_>, color: bool) -> String {
    let mut out = String::new();
    let mut seen = HashSet::new();
    // Lines such as "In function 'f':", which belong to the next message.
    let mut context = String::new();
    let mut lines = raw.lines().peekable();
    while let Some(line) = lines.next() {
        let plain = strip(line);
        let Some(message) = parse(&plain) else {
            context += &public_names(line);
            context.push('\n');
            continue;
        };
        let mut details = String::new();
        while let Some(next) = lines.peek() {
            let plain = strip(next);
            if parse(&plain).is_some() || !is_detail(&plain) {
                break;
            }
            details += next;
            details.push('\n');
            lines.next();
        }
        let internal = message.file.ends_with("pgas_upcr.h")
            || (message.kind == "warning" && names_internal(message.text))
            || said_already(message.text);
        let shown = match origins.find(message.file, message.line, message.column) {
            _ if internal => String::new(),
            Some(origin) if !origin.unchanged || message.text.contains("upcr_") => {
                again(&message, &origin, color)
            }
            _ => format!("{}\n{details}", public_names(line)),
        };
        // A loop can stand in the C twice.
        if !shown.is_empty() && seen.insert(shown.clone()) {
            out += &context;
            out += &shown;
        }
        context.clear();
    }
    out + &context
}

/// The message with the place in the source.
fn again(message: &Message<'_>, origin: &pgas_upc::Origin, color: bool) -> String {
    let mut diagnostic = Diagnostic {
        severity: match message.kind {
            "warning" => Severity::Warning,
            _ => Severity::Error,
        },
        file: origin.place.file.clone(),
        line: origin.place.line,
        column: origin.place.column,
        length: origin.place.length,
        message: public_names(message.text),
        rule: None,
        hint: None,
        source_line: origin.place.source_line.clone(),
        included_from: Vec::new(),
        notes: Vec::new(),
    };
    // Accesses to shared data are volatile in C.
    let source = origin.place.source_line.as_deref().unwrap_or("");
    if !source.contains("volatile") {
        diagnostic.message = diagnostic.message.replace("\u{2018}volatile ", "\u{2018}");
    }
    if message.kind == "note" {
        let note = Note {
            place: origin.place.clone(),
            message: diagnostic.message,
        };
        return note.render(color) + "\n";
    }
    diagnostic.notes.extend(origin.note.clone());
    diagnostic.render(color) + "\n"
}

/// `file:line:column: kind: text`; the column may be missing.
fn parse(line: &str) -> Option<Message<'_>> {
    let (at, kind) = KINDS
        .iter()
        .filter_map(|kind| Some((line.find(&format!(": {kind}: "))?, *kind)))
        .min_by_key(|(at, kind)| (*at, std::cmp::Reverse(kind.len())))?;
    let text = &line[at + kind.len() + 4..];
    let (rest, last) = line[..at].rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, line, column) = match rest.rsplit_once(':').map(|(f, n)| (f, n.parse())) {
        Some((file, Ok(line))) => (file, line, last),
        _ => (rest, last, 0),
    };
    Some(Message {
        file,
        line,
        column,
        kind,
        text,
    })
}

/// Whether a line belongs to the message before it: excerpts of the source are indented.
fn is_detail(plain: &str) -> bool {
    plain.starts_with(' ') && !plain.trim_start().starts_with("from ")
}

/// Whether the UPC compiler warns of the same: functions of its library that are not declared.
fn said_already(text: &str) -> bool {
    text.starts_with("implicit declaration of function")
        && ["\u{2018}upc_", "'upc_", "\u{2018}bupc_", "'bupc_"]
            .iter()
            .any(|name| text.contains(name))
}

/// Whether a message is about a name of generated C.
fn names_internal(text: &str) -> bool {
    ["\u{2018}upcr_", "'upcr_"].iter().any(|quote| {
        text.find(quote).is_some_and(|at| {
            let name = text[at..].trim_start_matches(['\u{2018}', '\'']);
            !name.starts_with("upcr_pts") && !name.starts_with("upcr_i_")
        })
    })
}

/// A message without names of generated C.
fn public_names(text: &str) -> String {
    if !text.contains("upcr_") {
        return text.to_owned();
    }
    let text = text
        .replace("upcr_pts {aka struct <anonymous>}", "pointer-to-shared")
        .replace("upcr_pts", "pointer-to-shared")
        .replace("upcr_i_", "")
        .replace("upcr_mythread", "MYTHREAD")
        .replace("upcr_threads", "THREADS");
    // Other quoted text with such names is an expression on shared data.
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find('\u{2018}') {
        let Some(length) = rest[open..].find('\u{2019}') else {
            break;
        };
        let close = open + length + '\u{2019}'.len_utf8();
        out += &rest[..open];
        out += match rest[open..close].contains("upcr_") {
            true => "a shared object",
            false => &rest[open..close],
        };
        rest = &rest[close..];
    }
    out + rest
}

/// A line without escape sequences of terminals: colours and links.
fn strip(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\x1b') {
        out += &rest[..at];
        let after = &rest[at + 1..];
        rest = match after.as_bytes().first() {
            Some(b'[') => after
                .find(|c: char| c.is_ascii_alphabetic())
                .map_or("", |i| &after[i + 1..]),
            Some(b']') => match (after.find('\x07'), after.find("\x1b\\")) {
                (Some(i), Some(j)) if j < i => &after[j + 2..],
                (Some(i), _) => &after[i + 1..],
                (None, Some(j)) => &after[j + 2..],
                _ => "",
            },
            _ => after,
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_of_messages() {
        let m = parse("a b.upc:17:84: error: x: y").unwrap();
        assert_eq!((m.file, m.line, m.column), ("a b.upc", 17, 84));
        assert_eq!((m.kind, m.text), ("error", "x: y"));
        let m = parse("d:e.upc:17: warning: text").unwrap();
        assert_eq!((m.file, m.line, m.column), ("d:e.upc", 17, 0));
        assert_eq!(
            parse("f.h:1:2: fatal error: x").unwrap().kind,
            "fatal error"
        );
        assert!(parse("f.upc: In function 'main':").is_none());
        assert!(parse("cc1: error: unrecognized option").is_none());
    }

    #[test]
    fn escape_sequences_go() {
        assert_eq!(strip("\x1b[01m\x1b[Ka.c:1:\x1b[m\x1b[K x"), "a.c:1: x");
        assert_eq!(strip("a\x1b]8;;http://x\x07b\x1b]8;;\x07c"), "abc");
    }

    #[test]
    fn names_of_generated_c_do_not_show() {
        assert_eq!(
            public_names("have \u{2018}upcr_pts\u{2019} and \u{2018}int\u{2019}"),
            "have \u{2018}pointer-to-shared\u{2019} and \u{2018}int\u{2019}"
        );
        assert_eq!(
            public_names("read-only location \u{2018}*(const int *)upcr_obj_c.addr\u{2019}"),
            "read-only location a shared object"
        );
        assert_eq!(
            public_names("\u{2018}upcr_i_upc_memget\u{2019}"),
            "\u{2018}upc_memget\u{2019}"
        );
        assert!(names_internal("unused variable \u{2018}upcr_f\u{2019}"));
        assert!(!names_internal("\u{2018}upcr_pts\u{2019} x"));
    }
}

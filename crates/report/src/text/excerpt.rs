//! The line of source that a finding is about, between its neighbours, if the text was kept with
//! the result.

use pgas_result::sources::{SourceNote, Sources};
use pgas_result::summary::Finding;

use super::canvas::{Canvas, Line, Style};

/// Lines before and behind it.
const AROUND: u32 = 1;
/// Columns of a tab.
const TAB: &str = "    ";

/// Three lines at `indent`, the one in question marked; nothing if there is no text.
pub(super) fn write(canvas: &mut Canvas, sources: &Sources, finding: &Finding, indent: usize) {
    let lines = sources.excerpt(&finding.file, finding.line, AROUND);
    let lines: Vec<_> = lines
        .into_iter()
        .map(|(number, text)| (number, text.replace('\t', TAB)))
        .filter(|(number, text)| *number == finding.line || !text.trim().is_empty())
        .collect();
    let filled = lines.iter().filter(|(_, text)| !text.trim().is_empty());
    let leading = |text: &str| text.len() - text.trim_start_matches(' ').len();
    let margin = filled.map(|(_, text)| leading(text)).min().unwrap_or(0);
    let digits = lines
        .last()
        .map_or(0, |(number, _)| number.to_string().len());
    for (number, text) in &lines {
        let is_it = *number == finding.line;
        let (mark, style) = match is_it {
            true => (">", Style::Strong),
            false => (" ", Style::Dim),
        };
        let start = indent + 2 + digits + 2;
        let text = canvas.name(text.get(margin..).unwrap_or_default());
        let text = cut(canvas, &text, canvas.width.saturating_sub(start));
        canvas.line(
            Line::new()
                .to(indent)
                .add(style, mark)
                .right(Style::Dim, number.to_string(), indent + 2 + digits)
                .to(start)
                .add(style, text),
        );
    }
    let changed = sources
        .file(&finding.file)
        .is_some_and(|file| file.notes.contains(&SourceNote::Changed));
    if changed && !lines.is_empty() {
        let note = format!("(this file {})", SourceNote::Changed.text());
        canvas.prose(
            (Style::Plain, ""),
            indent + 2 + digits + 2,
            Style::Fair,
            &note,
        );
    }
}

/// The beginning of a line, which says more than its end.
fn cut(canvas: &Canvas, text: &str, columns: usize) -> String {
    if crate::names::width(text) <= columns {
        return text.to_owned();
    }
    let ellipsis = canvas.glyphs.ellipsis;
    let mut out = String::new();
    for c in text.chars() {
        let more = out.len();
        out.push(c);
        if crate::names::width(&out) + crate::names::width(ellipsis) > columns {
            out.truncate(more);
            break;
        }
    }
    out + ellipsis
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_result::sources::SourceFile;

    #[test]
    fn lines_fit_keep_their_shape_and_obey_nobody() {
        let long = "x".repeat(200);
        let text = format!("{{\n\t\tupc_barrier;\u{1b}[2J{long}\n\n");
        let sources = Sources {
            files: vec![SourceFile::text("a.c", text)],
        };
        let finding: Finding = serde_json::from_value(serde_json::json!({
            "metric": "wait_at_barrier", "seconds": 1.0, "percent": 1.0, "region": "", "function": "",
            "file": "a.c", "line": 2, "call_path": 0, "culprit_thread": null, "cause": "", "advice": "",
            "worst": null
        }))
        .unwrap();
        for unicode in [true, false] {
            let mut canvas = Canvas::new(60, unicode, false);
            write(&mut canvas, &sources, &finding, 4);
            let out = canvas.finish();
            let lines: Vec<_> = out.lines().collect();
            assert_eq!(lines.len(), 2, "{out}");
            assert_eq!(lines[0], "      1  {");
            assert!(
                lines[1].starts_with("    > 2          upc_barrier;"),
                "{out}"
            );
            assert!(
                lines.iter().all(|line| crate::names::width(line) <= 60),
                "{out}"
            );
            assert!(!out.contains('\u{1b}'), "{out}");
        }
    }
}

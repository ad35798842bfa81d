//! What is said about a finding: texts with labels before them, and the source around a line.

use ratatui::style::Style;

use crate::document::Profile;
use crate::state::App;
use pgas_screen::pencil::{Row, heading};
use pgas_screen::theme::Role;

/// Lines of the source above and below the one that is meant.
const CONTEXT: usize = 4;
/// Column at which texts begin, after their labels.
pub(super) const INDENT: usize = 11;

/// Lines about a finding.
pub(super) struct Text<'a> {
    pub(super) app: &'a App,
    pub(super) columns: usize,
    pub(super) rows: Vec<Row>,
}

impl<'a> Text<'a> {
    /// In lines of at most `columns` columns.
    pub(super) fn new(app: &'a App, columns: usize) -> Self {
        Text {
            app,
            columns: columns.saturating_sub(2),
            rows: Vec::new(),
        }
    }

    pub(super) fn blank(&mut self) {
        self.rows.push(Row::new());
    }

    /// A text, with its label before it; on a narrow screen above it.
    pub(super) fn label(&mut self, label: &str, role: Role, said: &str) {
        let theme = &self.app.theme;
        let dim = theme.style(Role::Dim);
        let mut label = Row::new().to(1).add(dim, label);
        let indent = match self.columns >= 50 {
            true => INDENT + 1,
            false => {
                self.rows.push(std::mem::take(&mut label));
                3
            }
        };
        let room = (self.columns + 1).saturating_sub(indent);
        for line in theme.wrap(said, room) {
            self.rows.push(
                std::mem::take(&mut label)
                    .to(indent)
                    .add(theme.style(role), line),
            );
        }
    }
}

/// The source around the line.
pub(super) fn excerpt(text: &mut Text, profile: &Profile, name: &str, line: u32) {
    let file = profile.file(name).and_then(|file| profile.files.get(file));
    let Some(file) = file.filter(|_| line > 0) else {
        return;
    };
    let theme = &text.app.theme;
    let dim = theme.style(Role::Dim);
    let columns = text.columns;
    text.rows.push(Row::new());
    let place = pgas_report::figures::place(name, line);
    let rule = heading(theme, &place, columns, false);
    text.rows.push(Row::new().to(1).append(rule));
    let lines = match &file.text {
        Ok(lines) => lines,
        Err(why) => {
            for line in theme.wrap(why, columns) {
                text.rows.push(Row::new().to(1).add(dim, line));
            }
            return;
        }
    };
    let here = line as usize - 1;
    if here >= lines.len() {
        let why = format!(
            "the file has only {} lines: it was changed after it was compiled",
            lines.len()
        );
        for line in theme.wrap(&why, columns) {
            text.rows.push(Row::new().to(1).add(dim, line));
        }
        return;
    }
    let last = (here + CONTEXT).min(lines.len() - 1);
    let digits = (last + 1).to_string().len();
    for (index, source) in lines
        .iter()
        .enumerate()
        .take(last + 1)
        .skip(here.saturating_sub(CONTEXT))
    {
        let is_here = index == here;
        let (mark, style) = match is_here {
            true => (theme.glyphs().here, theme.style(Role::Strong)),
            false => (" ", Style::new()),
        };
        let row = Row::new()
            .to(1)
            .add(theme.style(Role::Waiting), mark)
            .right(dim, (index + 1).to_string(), 3 + digits)
            .plain("  ");
        let room = columns.saturating_sub(row.width());
        let shown = theme.clean(source);
        let shown: String = cut(&shown, room);
        text.rows.push(row.add(style, shown));
    }
}

/// The beginning of a line of source, as much of it as fits.
pub(super) fn cut(text: &str, columns: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    out
}

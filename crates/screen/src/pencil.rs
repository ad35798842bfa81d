//! Lines of styled text of a known width, and where they are drawn.

use pgas_report::names::width;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::theme::{Role, Theme};

/// A line in the making.
#[derive(Debug, Clone, Default)]
pub struct Row {
    spans: Vec<Span<'static>>,
    width: usize,
}

impl Row {
    /// An empty line.
    pub fn new() -> Self {
        Row::default()
    }

    /// Adds a text that is safe to print.
    pub fn add(mut self, style: Style, text: impl Into<String>) -> Self {
        let text = text.into();
        self.width += width(&text);
        self.spans.push(Span::styled(text, style));
        self
    }

    /// Adds a text without a style of its own, which is safe to print.
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.add(Style::new(), text)
    }

    /// Spaces up to `column`.
    pub fn to(self, column: usize) -> Self {
        let gap = column.saturating_sub(self.width);
        self.plain(" ".repeat(gap))
    }

    /// Text that ends at `column`, if there is room.
    pub fn right(self, style: Style, text: impl Into<String>, column: usize) -> Self {
        let text = text.into();
        let start = column.saturating_sub(width(&text));
        self.to(start).add(style, text)
    }

    /// Adds another line's parts.
    pub fn append(mut self, other: Row) -> Self {
        self.width += other.width;
        self.spans.extend(other.spans);
        self
    }

    /// Columns so far.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The whole line in this style, above that of its parts.
    pub fn marked(mut self, style: Style) -> Self {
        for span in &mut self.spans {
            span.style = span.style.patch(style);
        }
        self
    }

    fn line(self) -> Line<'static> {
        Line::from(self.spans)
    }
}

/// Draws lines from the top of an area; those beyond its end are left out.
pub fn draw_rows(buffer: &mut Buffer, area: Rect, rows: impl IntoIterator<Item = Row>) {
    for (index, row) in rows.into_iter().take(usize::from(area.height)).enumerate() {
        let y = area.y + index as u16;
        buffer.set_line(area.x, y, &row.line(), area.width);
    }
}

/// Draws one line that is selected or marked over the whole width.
pub fn highlight(buffer: &mut Buffer, area: Rect, line: usize, style: Style) {
    let Ok(line) = u16::try_from(line) else {
        return;
    };
    if line < area.height {
        let row = Rect {
            y: area.y + line,
            height: 1,
            ..area
        };
        // On a selected line, the colours of its parts would be backgrounds.
        if style.add_modifier.contains(Modifier::REVERSED) {
            for x in row.left()..row.right() {
                if let Some(cell) = buffer.cell_mut((x, row.y)) {
                    cell.set_style(Style::reset());
                }
            }
        }
        buffer.set_style(row, style);
    }
}

/// A bar of `share` (0 to 1) of `columns`; what is more than nothing shows.
pub fn bar(theme: &Theme, share: f64, columns: usize) -> String {
    pgas_report::bar(theme.glyphs().bar, share, columns)
}

/// A heading with a line to the end of the area.
pub fn heading(theme: &Theme, title: &str, columns: usize, focused: bool) -> Row {
    let style = match focused {
        true => theme.style(Role::Heading),
        false => theme.style(Role::Strong),
    };
    let title = theme.short(title, columns);
    let rest = columns.saturating_sub(width(&title) + 1);
    let rule: String = std::iter::repeat_n(theme.glyphs().horizontal, rest).collect();
    let row = Row::new().add(style, title);
    match rest {
        0 => row,
        _ => row.plain(" ").add(theme.style(Role::Dim), rule),
    }
}

/// The line between two areas side by side: the column before `area`.
pub fn separator(buffer: &mut Buffer, theme: &Theme, area: Rect) {
    let Some(x) = area.x.checked_sub(1) else {
        return;
    };
    for y in area.top()..area.bottom() {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(theme.glyphs().vertical)
                .set_style(theme.style(Role::Dim));
        }
    }
}

//! Lines of styled text. Widths are counted in columns of a terminal before colour is added, so
//! that coloured and plain reports have the same shape.

use owo_colors::Style as Colours;
use pgas_result::models::Words;

use crate::names::{printable, shorten, width, wrap};

/// Role of a piece of text; what it looks like is decided here only. No meaning is in colour alone:
/// figures say the same, and the parts of a bar differ in their pattern too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Title,
    Strong,
    Dim,
    Good,
    Fair,
    Bad,
    Computation,
    Waiting,
    Communication,
    NoCore,
    Measurement,
}

impl Style {
    fn colours(self) -> Option<Colours> {
        let plain = Colours::new();
        Some(match self {
            Style::Plain => return None,
            Style::Title => plain.bold().cyan(),
            Style::Strong => plain.bold(),
            Style::Dim | Style::Measurement | Style::NoCore => plain.bright_black(),
            Style::Good => plain.green(),
            Style::Fair | Style::Communication => plain.yellow(),
            Style::Bad => plain.bold().red(),
            Style::Waiting => plain.red(),
            Style::Computation => plain.blue(),
        })
    }
}

/// The characters that the report draws with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyphs {
    pub ellipsis: &'static str,
    pub separator: &'static str,
    pub rule: char,
    pub remark: &'static str,
    /// Parts of a cell, from an eighth to a full one; one entry if there are no parts.
    pub bar: &'static [char],
    /// Heights of a curve, lowest first.
    pub curve: &'static [char],
    pub computation: char,
    pub waiting: char,
    pub communication: char,
    pub no_core: char,
    pub measurement: char,
    pub dash: &'static str,
}

const UNICODE: Glyphs = Glyphs {
    ellipsis: "…",
    separator: " · ",
    rule: '─',
    remark: "▲",
    bar: &['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
    curve: &['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    computation: '█',
    waiting: '▒',
    communication: '▄',
    no_core: '▁',
    measurement: '·',
    dash: "–",
};

const ASCII: Glyphs = Glyphs {
    ellipsis: "...",
    separator: ", ",
    rule: '-',
    remark: "!",
    bar: &['#'],
    curve: &['_', '.', '-', ':', '=', '+', '*', '#'],
    computation: '#',
    waiting: '.',
    communication: '=',
    no_core: '_',
    measurement: '~',
    dash: "-",
};

/// One line in the making.
#[derive(Debug, Default)]
pub(super) struct Line {
    spans: Vec<(Style, String)>,
    width: usize,
}

impl Line {
    pub fn new() -> Self {
        Line::default()
    }

    pub fn add(mut self, style: Style, text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        self.width += width(text);
        self.spans.push((style, text.to_owned()));
        self
    }

    /// Columns that it takes up to now.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Spaces up to `column`.
    pub fn to(self, column: usize) -> Self {
        let gap = column.saturating_sub(self.width);
        self.add(Style::Plain, " ".repeat(gap))
    }

    /// Text that ends at `column`.
    pub fn right(self, style: Style, text: impl AsRef<str>, column: usize) -> Self {
        let start = column.saturating_sub(width(text.as_ref()));
        self.to(start).add(style, text)
    }

    pub fn append(mut self, other: Line) -> Self {
        self.width += other.width;
        self.spans.extend(other.spans);
        self
    }
}

/// The report as it grows.
pub(super) struct Canvas {
    /// The program's words for its threads.
    pub words: Words,
    pub width: usize,
    pub glyphs: Glyphs,
    pub ascii: bool,
    color: bool,
    out: String,
}

impl Canvas {
    pub fn new(width: usize, unicode: bool, color: bool) -> Self {
        Canvas {
            width,
            glyphs: if unicode { UNICODE } else { ASCII },
            ascii: !unicode,
            color,
            words: Words::default(),
            out: String::new(),
        }
    }

    /// The same for a program that has these words for its threads.
    pub fn with_words(self, words: Words) -> Self {
        Canvas { words, ..self }
    }

    pub fn finish(self) -> String {
        self.out
    }

    pub fn blank(&mut self) {
        self.out.push('\n');
    }

    pub fn line(&mut self, line: Line) {
        let mut spans = line.spans;
        // No spaces at the ends of lines.
        while let Some((_, text)) = spans.last_mut() {
            text.truncate(text.trim_end().len());
            if !text.is_empty() {
                break;
            }
            spans.pop();
        }
        for (style, text) in spans {
            match style.colours() {
                Some(colours) if self.color && !text.trim().is_empty() => {
                    self.out.push_str(&colours.style(text).to_string());
                }
                _ => self.out.push_str(&text),
            }
        }
        self.out.push('\n');
    }

    /// A section's heading, with what belongs to all of it at its right.
    pub fn heading(&mut self, title: &str, aside: Line) {
        self.blank();
        let mut line = Line::new().add(Style::Title, title);
        if aside.width > 0 {
            let start = self.width.saturating_sub(aside.width);
            line = line.to(start).append(aside);
        }
        self.line(line);
        let rule: String = std::iter::repeat_n(self.glyphs.rule, self.width).collect();
        self.line(Line::new().add(Style::Dim, rule));
    }

    /// A section's heading with the first of several texts at its right that fits, or none.
    pub fn heading_with_one_of(&mut self, title: &str, asides: &[&str]) {
        let room = self.width.saturating_sub(crate::names::width(title) + 3);
        let fitting = asides
            .iter()
            .find(|aside| crate::names::width(aside) <= room);
        let aside = fitting.map_or_else(Line::new, |aside| Line::new().add(Style::Dim, *aside));
        self.heading(title, aside);
    }

    /// Prose that begins at `indent`, with `label` before it.
    pub fn prose(&mut self, label: (Style, &str), indent: usize, style: Style, text: &str) {
        let text = self.name(text);
        let room = self.width.saturating_sub(indent).max(1);
        let mut start = Line::new().add(label.0, label.1);
        for line in wrap(&text, room, self.glyphs.ellipsis) {
            self.line(start.to(indent).add(style, line));
            start = Line::new();
        }
    }

    /// A name from outside, safe to print.
    pub fn name(&self, text: &str) -> String {
        printable(text, self.ascii)
    }

    pub fn short(&self, text: &str, columns: usize) -> String {
        shorten(&self.name(text), columns, self.glyphs.ellipsis)
    }
}

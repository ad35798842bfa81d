//! The pages for a terminal: paragraphs wrapped, drawings and examples as they are, tables as
//! lists.

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::drawing::{Drawing, KINDS, Kind};
use super::{ReferencePage, markdown, svg};
use crate::names::wrap;

/// Signs that ASCII lacks, and what stands for them. Both have one column.
const SUBSTITUTES: [(char, char); 12] = [
    ('─', '-'),
    ('━', '='),
    ('▒', '#'),
    ('═', '%'),
    ('◆', '*'),
    ('│', '|'),
    ('┊', ':'),
    ('µ', 'u'),
    ('×', 'x'),
    ('−', '-'),
    ('–', '-'),
    ('·', '*'),
];

pub(super) fn text(page: &ReferencePage, width: usize, ascii: bool) -> String {
    let mut writer = Writer {
        width: width.max(40),
        ascii,
        ..Writer::default()
    };
    let title = page.title.clone();
    writer.paragraph("", &title);
    writer.paragraph("", &page.ids.join(", "));
    for event in markdown::body(page.markdown) {
        writer.event(event);
    }
    let end = writer.out.trim_end().len();
    writer.out.replace_range(end.., "\n");
    match ascii {
        true => writer.out.chars().map(in_ascii).collect(),
        false => writer.out,
    }
}

fn in_ascii(c: char) -> char {
    let substitute = SUBSTITUTES.iter().find(|(sign, _)| *sign == c);
    match substitute {
        Some((_, substitute)) => *substitute,
        None if c.is_ascii() => c,
        None => '?',
    }
}

/// Where the text goes that is being read.
#[derive(Debug, Default, PartialEq)]
enum Inside {
    #[default]
    Flow,
    /// Fence and content of a block.
    Code(String, String),
}

#[derive(Default)]
struct Writer {
    width: usize,
    ascii: bool,
    out: String,
    inside: Inside,
    /// Text of the paragraph, item or cell that is being read.
    flow: String,
    /// For each open list the number of its next item, if items are numbered.
    lists: Vec<Option<u64>>,
    /// Text before the next item.
    bullet: Option<String>,
    /// Headings of the table's columns, and the cells of its row so far.
    columns: Vec<String>,
    cells: Vec<String>,
}

impl Writer {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                self.flush();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.inside = Inside::Code(language, String::new());
            }
            Event::End(TagEnd::CodeBlock) => self.block(),
            Event::Start(Tag::List(first)) => {
                self.flush();
                self.lists.push(first);
            }
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                self.out.push('\n');
            }
            Event::End(TagEnd::Table) => self.out.push('\n'),
            Event::Start(Tag::Item) => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.bullet = Some(match number {
                    Some(number) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    None => "- ".to_owned(),
                });
            }
            Event::End(TagEnd::Item | TagEnd::Paragraph) => self.flush(),
            Event::End(TagEnd::Heading(_)) => {
                let heading = std::mem::take(&mut self.flow).to_uppercase();
                self.paragraph("", &heading);
            }
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.flow);
                self.cells.push(cell);
            }
            Event::End(TagEnd::TableHead) => self.columns = std::mem::take(&mut self.cells),
            Event::End(TagEnd::TableRow) => self.table_row(),
            Event::SoftBreak | Event::HardBreak => self.flow.push(' '),
            Event::Text(text) | Event::Code(text) => match &mut self.inside {
                Inside::Code(_, code) => code.push_str(&text),
                Inside::Flow => self.flow.push_str(&text),
            },
            _ => {}
        }
    }

    /// Writes the text that was read so far, as a paragraph or item.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.flow);
        let bullet = self.bullet.take().unwrap_or_default();
        let inner = 2 * self.lists.len().saturating_sub(1);
        match (text.trim(), bullet.as_str()) {
            ("", _) => {}
            (text, "") => self.paragraph("", text),
            (text, bullet) => self.lines(&format!("{:inner$}{bullet}", ""), text),
        }
    }

    /// A row of a table: its first cell, and below it the others by the names of their columns.
    fn table_row(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        let mut cells = cells.into_iter();
        let first = cells.next().unwrap_or_default();
        let others: Vec<_> = cells.collect();
        match others.as_slice() {
            [only] => self.lines("- ", &format!("{first}: {only}")),
            _ => {
                self.lines("- ", &first);
                for (column, cell) in others.iter().enumerate() {
                    let name = self.columns.get(column + 1).cloned().unwrap_or_default();
                    self.lines("    ", &format!("{name}: {cell}"));
                }
            }
        }
    }

    fn block(&mut self) {
        let Inside::Code(language, code) = std::mem::take(&mut self.inside) else {
            return;
        };
        if let Some(drawing) = Drawing::parse(&language, &code) {
            let is_key = |line: &&str| line.trim_start().starts_with(KINDS.map(Kind::sign));
            for line in code.lines().filter(|line| !is_key(line)) {
                self.out.push_str(format!("    {line}").trim_end());
                self.out.push('\n');
            }
            let legend = drawing.legend().into_iter();
            let mut key: Vec<_> = legend
                .map(|(kind, meaning)| format!("{} {meaning}", kind.sign()))
                .collect();
            if drawing.has_ends() {
                key.push(format!("◆ {}", svg::ENDS));
            }
            if !key.is_empty() {
                self.out.push('\n');
                self.lines("    ", &key.join(", "));
            }
        } else {
            for line in code.lines() {
                self.out.push_str(format!("    {line}").trim_end());
                self.out.push('\n');
            }
        }
        self.out.push('\n');
    }

    /// Lines that begin with `first`, all but the first one with as many spaces.
    fn lines(&mut self, first: &str, text: &str) {
        let room = self.width - first.len();
        let ellipsis = if self.ascii { "~" } else { "…" };
        for (number, line) in wrap(text, room, ellipsis).iter().enumerate() {
            let lead = match number {
                0 => first.to_owned(),
                _ => " ".repeat(first.len()),
            };
            self.out.push_str(&lead);
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    fn paragraph(&mut self, first: &str, text: &str) {
        self.lines(first, text);
        self.out.push('\n');
    }
}

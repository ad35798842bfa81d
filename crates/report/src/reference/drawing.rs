//! The drawings of the reference: rows of bars along time, written as text that can be read as it
//! is and is drawn as SVG ([`svg`](super::svg)). A code block whose language is `timeline` holds
//! one; what follows that word describes it for those who do not see it.
//!
//! ```text
//! thread 0  ─── work ───▒▒▒▒▒▒▒▒▒▒▒▒ ── work ──
//! thread 1  ─── work ───────────────◆── work ──  arrives last
//!                                   ┊ all go on
//! ```
//!
//! Bars are runs of `─` (work), `━` (an operation), `▒` (waiting) or `═` (what the drawing is
//! about), with a name inside if it has spaces around it. `◆` ends the waits that end at its
//! column, `│` divides a bar, `┊` below is a line through all rows. Text after the bars is a
//! remark. A line that is one of these signs and a text states the meaning of the sign here.

/// Kind of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Work,
    Operation,
    Waiting,
    Subject,
}

pub(super) const KINDS: [Kind; 4] = [Kind::Work, Kind::Operation, Kind::Waiting, Kind::Subject];

impl Kind {
    fn of(sign: char) -> Option<Kind> {
        KINDS.into_iter().find(|kind| kind.sign() == sign)
    }

    pub fn sign(self) -> char {
        match self {
            Kind::Work => '─',
            Kind::Operation => '━',
            Kind::Waiting => '▒',
            Kind::Subject => '═',
        }
    }

    /// Default meaning, for drawings that do not state one.
    pub fn meaning(self) -> &'static str {
        match self {
            Kind::Work => "the program's own work",
            Kind::Operation => "in the PGAS runtime",
            Kind::Waiting => "lost",
            Kind::Subject => "what this is about",
        }
    }
}

/// Columns count characters from the first sign of all rows.
#[derive(Debug, PartialEq)]
pub(super) struct Bar {
    pub kind: Kind,
    pub begin: usize,
    pub end: usize,
    pub name: String,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Row {
    pub name: String,
    pub bars: Vec<Bar>,
    /// Columns of `◆`.
    pub ends: Vec<usize>,
    /// Columns of `│`.
    pub divisions: Vec<usize>,
    /// A remark and its column.
    pub remark: Option<(usize, String)>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Drawing {
    /// In words.
    pub description: String,
    pub rows: Vec<Row>,
    /// Columns of lines through all rows, and what they are.
    pub guides: Vec<(usize, String)>,
    /// Meanings of signs in this drawing.
    meanings: Vec<(char, String)>,
}

/// Signs that are not bars.
const MARKS: [char; 3] = ['◆', '│', '┊'];

fn is_sign(c: char) -> bool {
    Kind::of(c).is_some() || MARKS.contains(&c)
}

impl Drawing {
    /// `language` is what stands behind the fence; `None` if the block is no drawing.
    pub fn parse(language: &str, text: &str) -> Option<Drawing> {
        let description = language.strip_prefix("timeline")?.trim();
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let first_sign = |line: &Vec<char>| line.iter().position(|&c| is_sign(c));
        let mut drawing = Drawing {
            description: description.to_owned(),
            ..Drawing::default()
        };
        let origin = lines
            .iter()
            .filter(|line| !is_key(line))
            .filter_map(first_sign);
        let origin = origin.min().unwrap_or(0);
        for line in &lines {
            let Some(first) = first_sign(line) else {
                continue;
            };
            let rest = |from: usize| line[from..].iter().collect::<String>().trim().to_owned();
            if line[first] == '┊' {
                let guide = (first - origin, rest(first + 1));
                drawing.guides.push(guide);
            } else if is_key(line) {
                drawing.meanings.push((line[first], rest(first + 1)));
            } else {
                drawing.rows.push(row(line, origin));
            }
        }
        Some(drawing)
    }

    /// The kinds of bars that occur, and what they mean here.
    pub fn legend(&self) -> Vec<(Kind, String)> {
        let bars = || self.rows.iter().flat_map(|row| &row.bars);
        let used = KINDS
            .into_iter()
            .filter(|&k| bars().any(|bar| bar.kind == k));
        used.map(|kind| {
            let told = self.meanings.iter().find(|(sign, _)| *sign == kind.sign());
            (
                kind,
                told.map_or(kind.meaning().to_owned(), |(_, m)| m.clone()),
            )
        })
        .collect()
    }

    /// Whether it shows which event ended a wait.
    pub fn has_ends(&self) -> bool {
        self.rows.iter().any(|row| !row.ends.is_empty())
    }

    /// The first column behind all bars.
    pub fn end(&self) -> usize {
        let bars = self.rows.iter().flat_map(|row| &row.bars);
        let guides = self.guides.iter().map(|(column, _)| column + 1);
        bars.map(|bar| bar.end).chain(guides).max().unwrap_or(0)
    }
}

/// Whether a line says what a sign means: nothing before the sign, one sign, no other.
fn is_key(line: &[char]) -> bool {
    let mut visible = line.iter().filter(|c| !c.is_whitespace());
    visible.next().is_some_and(|&c| Kind::of(c).is_some()) && !visible.any(|&c| is_sign(c))
}

fn row(line: &[char], origin: usize) -> Row {
    let name: String = line[..origin.min(line.len())].iter().collect();
    let mut row = Row {
        name: name.trim().to_owned(),
        ..Row::default()
    };
    let mut at = origin;
    while at < line.len() {
        let column = at - origin;
        match line[at] {
            '◆' => row.ends.push(column),
            '│' => row.divisions.push(column),
            ' ' => {}
            sign => match Kind::of(sign) {
                Some(kind) => {
                    let (length, name) = bar(&line[at..], sign);
                    row.bars.push(Bar {
                        kind,
                        begin: column,
                        end: column + length,
                        name,
                    });
                    at += length;
                    continue;
                }
                None => {
                    let remark: String = line[at..].iter().collect();
                    row.remark = Some((column, remark.trim().to_owned()));
                    break;
                }
            },
        }
        at += 1;
    }
    row
}

/// Length and name of the bar at the beginning of `line`: signs, and perhaps ` name ` between
/// signs.
fn bar(line: &[char], sign: char) -> (usize, String) {
    let signs = |from: usize| line[from..].iter().take_while(|&&c| c == sign).count();
    let before = signs(0);
    let inside: String = line[before..]
        .iter()
        .take_while(|&&c| !is_sign(c))
        .collect();
    let length = inside.chars().count();
    let closed = line.get(before + length) == Some(&sign);
    let named = inside.starts_with(' ') && inside.ends_with(' ') && !inside.contains("  ");
    if closed && named && !inside.trim().is_empty() {
        let all = before + length + signs(before + length);
        return (all, inside.trim().to_owned());
    }
    (before, String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_kinds_names_and_columns() {
        let text = "\
thread 0  ── f ──▒▒▒▒ ━━
thread 1    ─────────◆━━│━  comes last
                     ┊ together
  ▒ thrown away
";
        let drawing = Drawing::parse("timeline One waits.", text).unwrap();
        let bar = |kind, begin, end, name: &str| Bar {
            kind,
            begin,
            end,
            name: name.to_owned(),
        };
        assert_eq!(drawing.description, "One waits.");
        assert_eq!(drawing.rows.len(), 2);
        assert_eq!(drawing.rows[0].name, "thread 0");
        let first = [
            bar(Kind::Work, 0, 7, "f"),
            bar(Kind::Waiting, 7, 11, ""),
            bar(Kind::Operation, 12, 14, ""),
        ];
        assert_eq!(drawing.rows[0].bars, first);
        assert_eq!(drawing.rows[1].bars[0], bar(Kind::Work, 2, 11, ""));
        assert_eq!(drawing.rows[1].ends, [11]);
        assert_eq!(drawing.rows[1].divisions, [14]);
        assert_eq!(drawing.rows[1].remark, Some((18, "comes last".to_owned())));
        assert_eq!(drawing.guides, [(11, "together".to_owned())]);
        assert_eq!(drawing.end(), 16);
        let legend = drawing.legend();
        assert_eq!(legend[2], (Kind::Waiting, "thrown away".to_owned()));
    }

    #[test]
    fn other_code_is_no_drawing() {
        assert_eq!(Drawing::parse("c", "int a;"), None);
        let empty = Drawing::parse("timeline", "").unwrap();
        assert_eq!((empty.rows.len(), empty.end()), (0, 0));
    }
}

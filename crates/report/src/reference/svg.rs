//! Draws a [`Drawing`] as SVG that stands inside of a page: bars in the colours of the page's
//! activities, waiting hatched besides, so that colour is never all there is. Title and description
//! are for screen readers.

use std::fmt::Write;

use super::drawing::{Bar, Drawing, Kind, Row};
use crate::escape::escape;

/// Sizes in the units of the drawing.
const COLUMN: f64 = 9.0;
const ROW: f64 = 34.0;
const BAR: f64 = 22.0;
const MARGIN: f64 = 6.0;
/// Room for a line of text, and about that of a character.
const LINE: f64 = 20.0;
const CHARACTER: f64 = 6.6;

/// `id` distinguishes it from the other drawings of a document.
pub(super) fn svg(drawing: &Drawing, id: &str) -> String {
    Picture::new(drawing, id).draw()
}

struct Picture<'a> {
    drawing: &'a Drawing,
    id: &'a str,
    /// Where the first column is.
    left: f64,
    out: String,
}

impl<'a> Picture<'a> {
    fn new(drawing: &'a Drawing, id: &'a str) -> Self {
        let names = drawing.rows.iter().map(|row| text_width(&row.name));
        Picture {
            drawing,
            id,
            left: MARGIN + names.fold(0.0, f64::max) + 12.0,
            out: String::new(),
        }
    }

    fn x(&self, column: usize) -> f64 {
        self.left + COLUMN * column as f64
    }

    /// The middle of a row.
    fn y(&self, row: usize) -> f64 {
        MARGIN + ROW * (row as f64 + 0.5)
    }

    fn draw(mut self) -> String {
        let drawing = self.drawing;
        let rows = drawing.rows.len();
        let legend = self.legend(MARGIN + ROW * rows as f64 + self.guides_height() + 8.0);
        let remarks = drawing.rows.iter().filter_map(|row| row.remark.as_ref());
        let texts = remarks.chain(&drawing.guides);
        let text_end = texts.map(|(column, text)| self.x(*column) + 8.0 + text_width(text));
        let width = text_end.fold(self.x(drawing.end()), f64::max).max(legend.0) + MARGIN;
        let height = legend.1 + MARGIN;
        let id = self.id;
        let mut out = String::new();
        // Writing into a string cannot fail.
        let _ = write!(
            out,
            r#"<svg class="drawing" role="img" aria-labelledby="{id}-title {id}-desc" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="system-ui, sans-serif" font-size="13">"#
        );
        let _ = write!(
            out,
            r#"<title id="{id}-title">{}</title><desc id="{id}-desc">{}</desc>"#,
            escape(&drawing.description),
            escape(&in_words(drawing))
        );
        let _ = write!(
            out,
            concat!(
                r#"<defs><pattern id="{0}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">"#,
                r#"<rect class="waiting" width="3" height="6" fill="{1}"/></pattern>"#,
                r#"<marker id="{0}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">"#,
                r#"<path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>"#
            ),
            id,
            colour("waiting")
        );
        self.guides();
        for (number, row) in drawing.rows.iter().enumerate() {
            self.row(number, row);
        }
        self.arrows();
        out.push_str(&self.out);
        out.push_str("</svg>");
        out
    }

    fn guides_height(&self) -> f64 {
        LINE * self.drawing.guides.len() as f64
    }

    fn guides(&mut self) {
        let bottom = MARGIN + ROW * self.drawing.rows.len() as f64;
        for (number, (column, name)) in self.drawing.guides.iter().enumerate() {
            let x = self.x(*column) + COLUMN / 2.0;
            let end = bottom + LINE * (number as f64 + 0.7);
            let _ = write!(
                self.out,
                r#"<path d="M{x:.1} {MARGIN}V{end:.1}" stroke="currentColor" stroke-dasharray="3 3" opacity="0.7"/>"#
            );
            self.text(x + 6.0, end, "start", name);
        }
    }

    fn row(&mut self, number: usize, row: &Row) {
        let middle = self.y(number);
        self.text(self.left - 12.0, middle + 4.5, "end", &row.name);
        for bar in &row.bars {
            self.bar(bar, middle);
        }
        for &column in &row.divisions {
            let x = self.x(column) + COLUMN / 2.0;
            let top = middle - BAR / 2.0;
            let _ = write!(
                self.out,
                r#"<path d="M{x:.1} {top:.1}v{BAR}" stroke="currentColor" stroke-width="2"/>"#
            );
        }
        if let Some((column, remark)) = &row.remark {
            self.text(self.x(*column) + 4.0, middle + 4.5, "start", remark);
        }
    }

    fn bar(&mut self, bar: &Bar, middle: f64) {
        let (x, top) = (self.x(bar.begin), middle - BAR / 2.0);
        let width = self.x(bar.end) - x;
        match bar.kind {
            Kind::Waiting => {
                let _ = write!(
                    self.out,
                    r#"<rect x="{x:.1}" y="{:.1}" width="{width:.1}" height="{:.1}" fill="url(#{}-hatch)"/>"#,
                    top + 1.0,
                    BAR - 2.0,
                    self.id
                );
                let _ = write!(
                    self.out,
                    r#"<rect class="waiting-frame" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="none" stroke="{}" stroke-width="1.5"/>"#,
                    x + 0.75,
                    top + 0.75,
                    width - 1.5,
                    BAR - 1.5,
                    colour("waiting")
                );
                if !bar.name.is_empty() {
                    let wide = text_width(&bar.name) + 8.0;
                    let _ = write!(
                        self.out,
                        r#"<rect class="paper" x="{:.1}" y="{:.1}" width="{wide:.1}" height="{:.1}" rx="3" fill="canvas"/>"#,
                        x + (width - wide) / 2.0,
                        top + 3.0,
                        BAR - 6.0
                    );
                    self.text(x + width / 2.0, middle + 4.5, "middle", &bar.name);
                }
            }
            kind => {
                let class = class(kind, &bar.name);
                let _ = write!(
                    self.out,
                    r#"<rect class="{class}" x="{x:.1}" y="{top:.1}" width="{width:.1}" height="{BAR}" fill="{}"/>"#,
                    colour(class)
                );
                if !bar.name.is_empty() {
                    let _ = write!(
                        self.out,
                        r#"<text class="on-bar" x="{:.1}" y="{:.1}" text-anchor="middle" fill="black">{}</text>"#,
                        x + width / 2.0,
                        middle + 4.5,
                        escape(&bar.name)
                    );
                }
            }
        }
    }

    /// From each `◆` to the waits that it ended.
    fn arrows(&mut self) {
        let rows = &self.drawing.rows;
        for (from, row) in rows.iter().enumerate() {
            for &column in &row.ends {
                let x = self.x(column);
                let start = self.y(from);
                for (to, other) in rows.iter().enumerate() {
                    let waits = |b: &&Bar| b.kind == Kind::Waiting && b.end == column;
                    if from == to || !other.bars.iter().any(|b| waits(&b)) {
                        continue;
                    }
                    let towards = if to > from { -1.0 } else { 1.0 };
                    let end = self.y(to) + towards * (BAR / 2.0 - 5.0);
                    let _ = write!(
                        self.out,
                        r#"<path d="M{x:.1} {start:.1}V{end:.1}" fill="none" stroke="currentColor" stroke-width="1.5" marker-end="url(#{}-head)"/>"#,
                        self.id
                    );
                }
                let _ = write!(
                    self.out,
                    r#"<path d="M{x:.1} {start:.1}m0 -7l6 7l-6 7l-6 -7z" fill="currentColor"/>"#
                );
            }
        }
    }

    /// Draws the legend below `top` and returns how far it reaches to the right and down.
    fn legend(&mut self, top: f64) -> (f64, f64) {
        let mut x = self.left;
        let base = top + 12.0;
        for (kind, meaning) in self.drawing.legend() {
            let bars = self.drawing.rows.iter().flat_map(|row| &row.bars);
            let named = bars
                .filter(|bar| bar.kind == kind)
                .find(|bar| !bar.name.is_empty());
            let class = class(kind, named.map_or("", |bar| &bar.name));
            let fill = match kind {
                Kind::Waiting => format!("url(#{}-hatch)", self.id),
                _ => colour(class),
            };
            let _ = write!(
                self.out,
                r#"<rect class="{}" x="{x:.1}" y="{:.1}" width="18" height="12" fill="{fill}"/>"#,
                // The class would fill it evenly.
                if kind == Kind::Waiting {
                    "hatched"
                } else {
                    class
                },
                base - 10.0
            );
            self.text(x + 24.0, base, "start", &meaning);
            x += 24.0 + text_width(&meaning) + 20.0;
        }
        if self.drawing.has_ends() {
            let _ = write!(
                self.out,
                r#"<path d="M{:.1} {:.1}m0 -7l6 7l-6 7l-6 -7z" fill="currentColor"/>"#,
                x + 6.0,
                base - 4.0
            );
            self.text(x + 18.0, base, "start", ENDS);
            x += 18.0 + text_width(ENDS);
        }
        (x, base + 4.0)
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = write!(
            self.out,
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="currentColor">{}</text>"#,
            escape(text)
        );
    }
}

/// Meaning of `◆`.
pub(super) const ENDS: &str = "ends the waiting";

fn text_width(text: &str) -> f64 {
    CHARACTER * text.chars().count() as f64
}

/// The activity that a bar belongs to, as timelines name it; operations by what stands in the bar.
fn class(kind: Kind, name: &str) -> &'static str {
    let is_one_of = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match kind {
        Kind::Work => "computation",
        Kind::Waiting => "waiting",
        Kind::Subject => "subject",
        Kind::Operation if is_one_of(&["lock"]) => "lock",
        Kind::Operation if is_one_of(&["alloc"]) => "allocation",
        Kind::Operation if is_one_of(&["get", "put", "read", "write", "access"]) => "one_sided",
        Kind::Operation if is_one_of(&["barrier", "notify", "upc_wait"]) => "barrier",
        Kind::Operation => "collective",
    }
}

/// The colour of an activity: the page's, or one of Okabe and Ito's, which colour-blind people tell
/// apart.
fn colour(class: &str) -> String {
    let own = match class {
        "computation" => "#56b4e9",
        "one_sided" => "#f0e442",
        "barrier" => "#e69f00",
        "lock" => "#cc79a7",
        "allocation" => "#bbbbbb",
        "waiting" => "#d55e00",
        "subject" => "#f0e442",
        _ => "#009e73",
    };
    format!("var(--activity-{class}, {own})")
}

/// The rows of a drawing as sentences.
fn in_words(drawing: &Drawing) -> String {
    let legend = drawing.legend();
    let meaning = |kind: Kind| {
        let told = legend.iter().find(|(k, _)| *k == kind);
        told.map_or(kind.meaning(), |(_, meaning)| meaning.as_str())
    };
    let mut out = String::new();
    for row in &drawing.rows {
        let bars: Vec<_> = row
            .bars
            .iter()
            .map(|bar| match bar.name.as_str() {
                "" => meaning(bar.kind).to_owned(),
                name => format!("{name} ({})", meaning(bar.kind)),
            })
            .collect();
        let _ = write!(out, "{}: {}", row.name, bars.join(", then "));
        if let Some((_, remark)) = &row.remark {
            let _ = write!(out, "; {remark}");
        }
        out.push_str(". ");
    }
    out.trim_end().to_owned()
}

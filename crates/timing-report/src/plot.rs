//! One plot as SVG: points with intervals and curves over two axes, or bars along one.
//!
//! The page around it may be light or dark: texts and axes take the text's colour, and the ground is
//! transparent. A title and a description say in words what the plot shows.

use pgas_charts::{Axis, FONT, colour, marker};
use plotters::prelude::*;

/// Width in pixels.
const WIDTH: u32 = 900;
/// Height of a line of the legend.
const LINE: u32 = 22;
const TITLE: u32 = 40;

/// Points of one colour, and a curve of the same.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Series {
    pub name: String,
    /// x, y, and the ends of y's interval.
    pub points: Vec<(f64, f64, (f64, f64))>,
    /// A model, or the points themselves.
    pub curve: Vec<(f64, f64)>,
}

/// A bar from one x to another at a height y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bar {
    pub series: usize,
    pub from: f64,
    pub to: f64,
    pub y: f64,
    /// Height in units of the axis.
    pub height: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plot {
    pub title: String,
    pub description: String,
    pub x_label: String,
    pub y_label: String,
    pub x: Axis,
    pub y: Axis,
    /// Height of the part below title and legend, in pixels.
    pub height: u32,
    pub series: Vec<Series>,
    pub bars: Vec<Bar>,
}

/// Follows the reader's choice of light or dark, also as a file of its own.
const STYLE: &str = "<style>.timing-plot{color:#1d1f21}\
    @media (prefers-color-scheme:dark){.timing-plot{color:#e6e6e6}}\
    .timing-plot text{fill:currentColor}\
    .timing-plot [stroke=\"#5A5A5A\"]{stroke:currentColor;stroke-opacity:.7}\
    .timing-plot [fill=\"#5A5A5A\"]{fill:currentColor;fill-opacity:.7}\
    .timing-plot [stroke=\"#D7D7D7\"]{stroke:currentColor;stroke-opacity:.15}</style>";

impl Plot {
    /// `name` makes ids unique in a page.
    pub fn svg(&self, name: &str) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg)?;
        let (_, body) = svg.split_once('>').ok_or("no SVG was drawn")?;
        let height = self.head() + self.height;
        Ok(format!(
            "<svg class=\"timing-plot\" role=\"img\" aria-labelledby=\"{name}-title {name}-desc\" \
             viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n\
             <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-desc\">{}</desc>\n{STYLE}{body}",
            escape(&self.title),
            escape(&self.description),
        ))
    }

    fn draw(&self, svg: &mut String) -> Result<(), String> {
        let text = |error: DrawingAreaErrorKind<_>| -> String { error.to_string() };
        let size = (WIDTH, self.head() + self.height);
        let root = SVGBackend::with_string(svg, size).into_drawing_area();
        let title = Text::new(self.title.clone(), (16, 12), (FONT, 20).into_font());
        root.draw(&title).map_err(text)?;
        for (index, (left, top)) in self.legend().into_iter().enumerate() {
            let (left, top) = (left as i32, (TITLE + top) as i32);
            let mark = marker(index, (left + 6, top + 9), colour(index));
            root.draw(&mark).map_err(text)?;
            let name = self.series[index].name.clone();
            let label = Text::new(name, (left + 18, top + 2), (FONT, 15).into_font());
            root.draw(&label).map_err(text)?;
        }
        let (_, body) = root.split_vertically(self.head());
        let mut chart = ChartBuilder::on(&body)
            .margin_left(8)
            .margin_right(24)
            .margin_top(6)
            .margin_bottom(10)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(self.x.clone(), self.y.clone())
            .map_err(text)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(215, 215, 215))
            .axis_style(RGBColor(90, 90, 90))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .axis_desc_style((FONT, 15))
            .label_style((FONT, 14))
            .draw()
            .map_err(text)?;
        for bar in &self.bars {
            let half = bar.height / 2.0;
            let corners = [(bar.from, bar.y - half), (bar.to, bar.y + half)];
            let shape = Rectangle::new(corners, colour(bar.series).filled());
            chart.draw_series([shape]).map_err(text)?;
        }
        for (index, series) in self.series.iter().enumerate() {
            let line = PathElement::new(series.curve.clone(), colour(index).stroke_width(2));
            chart.draw_series([line]).map_err(text)?;
            for (x, y, (low, high)) in &series.points {
                let at = |y: f64| chart.backend_coord(&(*x, y));
                let cap = |end: (i32, i32)| vec![(end.0 - 4, end.1), (end.0 + 4, end.1)];
                let interval = vec![at(*low), at(*high)];
                for line in [interval, cap(at(*low)), cap(at(*high))] {
                    let line = PathElement::new(line, colour(index).stroke_width(1));
                    root.draw(&line).map_err(text)?;
                }
                root.draw(&marker(index, at(*y), colour(index)))
                    .map_err(text)?;
            }
        }
        root.present().map_err(text)
    }

    /// Where the entries of the legend begin.
    fn legend(&self) -> Vec<(u32, u32)> {
        let (mut left, mut top) = (16, 0);
        let mut places = Vec::new();
        for series in &self.series {
            // No font is at hand to measure with; letters take about this much.
            let width = 42 + (series.name.chars().count() as f64 * 7.0) as u32;
            if left > 16 && left + width > WIDTH {
                (left, top) = (16, top + LINE);
            }
            places.push((left, top));
            left += width;
        }
        places
    }

    /// Height of title and legend.
    fn head(&self) -> u32 {
        let legend = self.legend();
        TITLE + legend.last().map_or(0, |(_, top)| top + LINE) + 4
    }
}

/// Text for XML and HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No XML document may contain them.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

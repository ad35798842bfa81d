//! Charts as SVG: values over numbers of threads, and bars in groups; both with error bars.
//!
//! Colours and marks can be told apart by everybody (`pgas_charts`). Texts are texts in the SVG, so
//! no font is needed to draw them.

use crate::Error;
use pgas_charts::{Axis, FONT, colour, marker, short_number, ticks};
use plotters::element::IntoDynElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width and height in pixels.
const SIZE: (u32, u32) = (900, 440);
const HEAD: u32 = 66;
/// A value with its error bar, from the lower to the upper end; none if both are the value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position along the x axis, an index of the chart's categories.
    pub category: usize,
    pub value: f64,
    pub range: (f64, f64),
}

impl Point {
    pub fn exact(category: usize, value: f64) -> Point {
        Point {
            category,
            value,
            range: (value, value),
        }
    }
}

/// Points of one colour, with their name in the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
    /// Joined by lines, or marks alone.
    pub line: bool,
}

/// How values lie along the y axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    Linear,
    /// From this value on; what is less is drawn there.
    Logarithmic(f64),
}

/// A chart of either kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub categories: Vec<String>,
    /// Categories from the first to before the second are shaded, and why.
    pub shaded: Option<(usize, usize, String)>,
    pub series: Vec<Series>,
    pub scale: Scale,
    /// Error bars end here, where a few runs leave everything possible.
    pub bars_within: (f64, f64),
}

fn place(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Logarithmic(floor) => value.max(floor).log10(),
    }
}

/// Two digits, or all before the point: bars are narrow.
fn two_digits(value: f64) -> String {
    let size = value.abs();
    let digits = match size {
        _ if size >= 9.95 || value == 0.0 => 0,
        _ if size >= 0.995 => 1,
        _ => 2,
    };
    // As in `.97`: a zero before the point would reach over the next bar.
    format!("{value:.digits$}").replacen("0.", ".", usize::from(size < 0.995))
}

impl Chart {
    /// Values over the categories, joined by lines.
    pub fn lines(&self) -> Result<String, Error> {
        self.draw(false)
    }

    /// A group of bars for each category, each with its value above it.
    pub fn bars(&self) -> Result<String, Error> {
        self.draw(true)
    }

    fn draw(&self, bars: bool) -> Result<String, Error> {
        let mut svg = String::new();
        self.draw_to(&mut svg, bars)
            .map_err(|problem| Error::Chart {
                name: self.title.clone(),
                problem,
            })?;
        Ok(svg)
    }

    fn cut(&self, range: (f64, f64)) -> (f64, f64) {
        let (least, most) = self.bars_within;
        (range.0.clamp(least, most), range.1.clamp(least, most))
    }

    /// The ends of the y axis, as places.
    fn extent(&self) -> (f64, f64) {
        let ends = self.series.iter().flat_map(|series| &series.points);
        let ends = ends.flat_map(|point| {
            let (from, to) = self.cut(point.range);
            [from, to, point.value]
        });
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for end in ends.filter(|end| end.is_finite()) {
            low = low.min(place(self.scale, end));
            high = high.max(place(self.scale, end));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        match self.scale {
            Scale::Linear => {
                (low, high) = (low.min(0.0), high.max(0.0));
                let room = if high > low { 0.1 * (high - low) } else { 1.0 };
                (if low < 0.0 { low - room } else { low }, high + room)
            }
            Scale::Logarithmic(floor) => (floor.log10(), (high + 0.25).max(floor.log10() + 1.0)),
        }
    }

    fn draw_to(&self, svg: &mut String, bars: bool) -> Result<(), String> {
        let text = |error: DrawingAreaErrorKind<_>| -> String { error.to_string() };
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(text)?;
        root.draw(&Text::new(
            self.title.clone(),
            (16, 12),
            (FONT, 22).into_font(),
        ))
        .map_err(text)?;
        let mut left = 16;
        for (index, series) in self.series.iter().enumerate() {
            let colour = colour(index);
            let mark = if bars {
                Rectangle::new([(left, 41), (left + 12, 53)], colour.filled()).into_dyn()
            } else {
                marker(index, (left + 6, 47), colour)
            };
            root.draw(&mark).map_err(text)?;
            root.draw(&Text::new(
                series.name.clone(),
                (left + 18, 40),
                (FONT, 17).into_font(),
            ))
            .map_err(text)?;
            // No font is at hand to measure with; letters of a sans-serif font take about this
            // much.
            left += 42 + (series.name.chars().count() as f64 * 7.4) as i32;
        }

        let (_, body) = root.split_vertically(HEAD);
        let (low, high) = self.extent();
        let count = self.categories.len();
        let across = Axis {
            low: -0.5,
            high: count as f64 - 0.5,
            ticks: (0..count)
                .map(|at| (at as f64, self.categories[at].clone()))
                .collect(),
        };
        let values = match self.scale {
            Scale::Linear => ticks(low, high, 6.0),
            Scale::Logarithmic(_) => (low.ceil() as i64..=high.floor() as i64)
                .map(|n| n as f64)
                .collect(),
        };
        let label = |at: f64| match self.scale {
            Scale::Linear => short_number(at),
            Scale::Logarithmic(_) => short_number(10_f64.powf(at)),
        };
        let upwards = Axis {
            low,
            high,
            ticks: values.into_iter().map(|at| (at, label(at))).collect(),
        };
        let mut chart = ChartBuilder::on(&body)
            .margin_left(8)
            .margin_right(20)
            .margin_bottom(10)
            .x_label_area_size(48)
            .y_label_area_size(76)
            .build_cartesian_2d(across, upwards)
            .map_err(text)?;
        if let Some((from, to, reason)) = &self.shaded {
            let (left, right) = (*from as f64 - 0.5, *to as f64 - 0.5);
            let grey = RGBColor(238, 238, 238).filled();
            chart
                .draw_series([Rectangle::new([(left, low), (right, high)], grey)])
                .map_err(text)?;
            let corner = chart.backend_coord(&(left, high));
            let style = TextStyle::from((FONT, 15).into_font()).color(&RGBColor(90, 90, 90));
            let label = Text::new(reason.clone(), (corner.0 + 8, corner.1 + 4), style);
            root.draw(&label).map_err(text)?;
        }
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(215, 215, 215))
            .axis_style(RGBColor(90, 90, 90))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .axis_desc_style((FONT, 17))
            .label_style((FONT, 15))
            .draw()
            .map_err(text)?;

        let width = 0.84 / self.series.len().max(1) as f64;
        for (index, series) in self.series.iter().enumerate() {
            let colour = colour(index);
            let points = series.points.iter().filter(|point| point.value.is_finite());
            let centre = |point: &Point| {
                let shift = if bars {
                    (index as f64 + 0.5) * width - 0.42
                } else {
                    // Error bars of two series would cover each other.
                    0.03 * (index as f64 - (self.series.len() as f64 - 1.0) / 2.0)
                };
                point.category as f64 + shift
            };
            if series.line && !bars {
                let line = points
                    .clone()
                    .map(|point| (centre(point), place(self.scale, point.value)));
                chart
                    .draw_series([PathElement::new(
                        line.collect::<Vec<_>>(),
                        colour.stroke_width(2),
                    )])
                    .map_err(text)?;
            }
            for point in points {
                let (x, y) = (centre(point), place(self.scale, point.value));
                let (from, to) = self.cut(point.range);
                let range = (place(self.scale, from), place(self.scale, to));
                if bars {
                    let foot = place(self.scale, 0.0).clamp(low, high);
                    chart
                        .draw_series([Rectangle::new(
                            [(x - 0.45 * width, foot), (x + 0.45 * width, y)],
                            colour.filled(),
                        )])
                        .map_err(text)?;
                } else {
                    root.draw(&marker(index, chart.backend_coord(&(x, y)), colour))
                        .map_err(text)?;
                }
                if point.range.0 < point.range.1 {
                    let colour = if bars { BLACK } else { colour };
                    let lower = chart.backend_coord(&(x, range.0));
                    let upper = chart.backend_coord(&(x, range.1));
                    let cap = |end: (i32, i32)| [(end.0 - 4, end.1), (end.0 + 4, end.1)];
                    for line in [[lower, upper], cap(lower), cap(upper)] {
                        root.draw(&PathElement::new(line, colour.stroke_width(1)))
                            .map_err(text)?;
                    }
                }
                if bars {
                    let style = TextStyle::from((FONT, 12).into_font())
                        .pos(Pos::new(HPos::Center, VPos::Bottom));
                    let above = range.1.max(y).max(place(self.scale, 0.0).clamp(low, high));
                    chart
                        .draw_series([EmptyElement::at((x, above))
                            + Text::new(two_digits(point.value), (0, -4), style)])
                        .map_err(text)?;
                }
            }
        }
        root.present().map_err(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_have_their_texts_and_one_mark_for_each_value() {
        let chart = Chart {
            title: "Time <&>".into(),
            x_label: "threads".into(),
            y_label: "time [s]".into(),
            categories: vec!["1".into(), "2".into()],
            shaded: Some((1, 2, "more threads than cores".into())),
            series: vec![Series {
                name: "naive".into(),
                points: vec![
                    Point::exact(0, 2.0),
                    Point {
                        category: 1,
                        value: 1.0,
                        range: (0.5, 1.5),
                    },
                ],
                line: true,
            }],
            scale: Scale::Linear,
            bars_within: (f64::MIN, f64::MAX),
        };
        let svg = chart.lines().unwrap();
        for text in [
            "Time &lt;&amp;&gt;",
            "threads",
            "time [s]",
            "naive",
            "more threads than cores",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        // The third is in the legend; an error bar has three lines.
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        let bars = Chart {
            scale: Scale::Logarithmic(0.1),
            ..chart
        }
        .bars()
        .unwrap();
        assert!(!bars.contains("NaN") && !bars.contains("inf"));
    }
}

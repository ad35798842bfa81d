//! Parts of charts in SVG: colours, marks, axes, numbers at ticks.
//!
//! Texts are texts in the SVG, so no font is needed to draw them.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::element::{Cross, DynElement, IntoDynElement, TriangleMarker};
use plotters::prelude::*;

/// Family of all texts.
pub const FONT: &str = "sans-serif";
/// Those of M. Okabe and K. Ito, Color Universal Design (2008), which people who are blind to some
/// colours tell apart.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(90, 90, 90),
];

/// The colour of a series.
pub fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// An axis with ticks of its own, and what stands at them.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The first value.
    pub low: f64,
    /// The last value.
    pub high: f64,
    /// Values, and what is written there.
    pub ticks: Vec<(f64, String)>,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(at, _)| at == value);
        tick.map_or(String::new(), |(_, text)| text.clone())
    }
}

/// Numbers as axes and bars show them: three digits at most.
pub fn short_number(value: f64) -> String {
    let size = value.abs();
    if size >= 1e6 {
        format!("{:.3e}", value).replace("e", "·10^")
    } else if size >= 100.0 || value == 0.0 {
        format!("{value:.0}")
    } else {
        let digits = if size >= 10.0 {
            1
        } else if size >= 1.0 {
            2
        } else {
            3
        };
        let text = format!("{value:.digits$}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    }
}

/// Ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten, about `count` of them.
pub fn ticks(low: f64, high: f64, count: f64) -> Vec<f64> {
    let rough = (high - low) / count;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Marks of series differ in shape as well as in colour.
pub fn marker<'a, DB: DrawingBackend + 'a>(
    index: usize,
    at: (i32, i32),
    colour: RGBColor,
) -> DynElement<'a, DB, (i32, i32)> {
    match index % 4 {
        0 => Circle::new(at, 5, colour.filled()).into_dyn(),
        1 => Rectangle::new(
            [(at.0 - 5, at.1 - 5), (at.0 + 5, at.1 + 5)],
            colour.filled(),
        )
        .into_dyn(),
        2 => TriangleMarker::new(at, 7, colour.filled()).into_dyn(),
        _ => Cross::new(at, 5, colour.stroke_width(2)).into_dyn(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (0.1, "0.1"),
            (1.0, "1"),
            (2.345, "2.35"),
            (23.45, "23.4"),
            (848.0, "848"),
            (-3.0, "-3"),
        ];
        for (value, text) in cases {
            assert_eq!(short_number(value), text);
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 11.0, 6.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        let small = ticks(-0.05, 0.1, 5.0);
        assert!(small.iter().all(|t| (-0.05..=0.1).contains(t)) && small.contains(&0.0));
    }
}

//! Bars of text, with the glyphs of a report.

use super::canvas::{Glyphs, Line, Style};
use crate::figures::Activity;

/// A bar of `share` (0 to 1) of `columns`.
pub(super) fn bar(share: f64, columns: usize, glyphs: &Glyphs) -> String {
    crate::bar(glyphs.bar, share, columns)
}

/// A bar of the parts of `activity`, in which `longest` seconds fill `columns`.
pub(super) fn stacked(activity: &Activity, longest: f64, columns: usize, glyphs: &Glyphs) -> Line {
    let parts = [
        (Style::Computation, glyphs.computation, activity.computation),
        (Style::Waiting, glyphs.waiting, activity.waiting),
        (
            Style::Communication,
            glyphs.communication,
            activity.communication,
        ),
        (Style::NoCore, glyphs.no_core, activity.no_core),
        (Style::Measurement, glyphs.measurement, activity.measurement),
    ];
    let mut line = Line::new();
    let mut sum = 0.0;
    let mut drawn = 0;
    for (style, glyph, seconds) in parts {
        sum += seconds.max(0.0);
        let share = if longest > 0.0 { sum / longest } else { 0.0 };
        // Rounding the sum, not the parts, keeps the total right.
        let end = (share.clamp(0.0, 1.0) * columns as f64).round() as usize;
        let cells: String = std::iter::repeat_n(glyph, end.saturating_sub(drawn)).collect();
        line = line.add(style, cells);
        drawn = drawn.max(end);
    }
    line
}

//! A picture of a distribution: a line from the smallest value to the largest, a box for the middle
//! half, and the median.

use pgas_result::distribution::Distribution;

use pgas_screen::theme::Theme;

/// Ratio of the largest to the smallest value above which the picture is logarithmic.
const WIDE: f64 = 30.0;

/// The picture in `columns` columns, and whether it is logarithmic; `None` where there is nothing
/// to see.
pub fn picture(theme: &Theme, of: &Distribution, columns: usize) -> Option<(String, bool)> {
    let (least, most) = (of.minimum, of.maximum);
    let is_spread = most > least && least >= 0.0;
    if columns < 8 || !is_spread {
        return None;
    }
    let logarithmic = least > 0.0 && most / least > WIDE;
    let scale = |value: f64| {
        let share = match logarithmic {
            true => (value / least).ln() / (most / least).ln(),
            false => (value - least) / (most - least),
        };
        let last = columns - 1;
        ((share.clamp(0.0, 1.0) * last as f64).round() as usize).min(last)
    };
    let glyphs = theme.glyphs();
    let box_of = scale(of.lower_quartile)..=scale(of.upper_quartile);
    let median = scale(of.median);
    let picture = (0..columns).map(|column| match column {
        c if c == median => glyphs.median,
        c if box_of.contains(&c) => glyphs.quartiles,
        _ => glyphs.whisker,
    });
    Some((picture.collect(), logarithmic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_screen::theme::Colours;

    fn of(values: [f64; 5]) -> Distribution {
        Distribution {
            count: 9,
            minimum: values[0],
            lower_quartile: values[1],
            median: values[2],
            upper_quartile: values[3],
            percentile_95: values[4],
            maximum: values[4],
            mean: values[2],
        }
    }

    #[test]
    fn boxes_lie_where_the_values_are() {
        let theme = Theme {
            colours: Colours::None,
            unicode: false,
        };
        let (text, logarithmic) = picture(&theme, &of([1.0, 3.0, 5.0, 7.0, 11.0]), 11).unwrap();
        assert_eq!((text.as_str(), logarithmic), ("--==|==----", false));
        let (text, logarithmic) = picture(&theme, &of([1e-6, 1e-4, 1e-3, 1e-2, 1.0]), 13).unwrap();
        assert_eq!((text.as_str(), logarithmic), ("----==|==----", true));
        assert_eq!(picture(&theme, &of([1.0; 5]), 20), None);
        assert_eq!(picture(&theme, &of([f64::NAN; 5]), 20), None);
    }
}

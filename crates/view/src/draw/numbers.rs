//! Values in few columns.

use pgas_cube::model::Unit;
use pgas_report::quantity;

use pgas_screen::theme::Theme;

/// Columns that every value fits into.
pub const VALUE: usize = 9;

/// "12.3 ms", "3.20 MiB", "12,345", "12.3 M".
pub fn value(theme: &Theme, value: f64, unit: Unit) -> String {
    let text = match unit {
        Unit::Seconds => quantity::seconds(value, theme.ascii()),
        Unit::Bytes => quantity::bytes(value).replace("bytes", "B"),
        Unit::Occurrences => quantity::count(value)
            .replace("quadrillion", "P")
            .replace("trillion", "T")
            .replace("billion", "G")
            .replace("million", "M"),
    };
    if text.ends_with(" s") && value == 0.0 {
        return "0".to_owned();
    }
    text.trim_end_matches(" bytes").to_owned()
}

/// The same, or in percent of a whole.
pub fn scaled(theme: &Theme, amount: f64, unit: Unit, whole: Option<f64>) -> String {
    match whole {
        None => value(theme, amount, unit),
        Some(whole) if whole != 0.0 => quantity::percent(100.0 * amount / whole),
        Some(_) => "0 %".to_owned(),
    }
}

/// A share, 0 to 1, or 0 of nothing.
pub fn share(part: f64, whole: f64) -> f64 {
    match whole != 0.0 && whole.is_finite() {
        true => part / whole,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_screen::theme::Colours;

    #[test]
    fn every_value_fits() {
        let theme = Theme {
            colours: Colours::None,
            unicode: true,
        };
        for (unit, largest) in [
            (Unit::Seconds, 9),
            (Unit::Bytes, 18),
            (Unit::Occurrences, 18),
        ] {
            for exponent in -12..largest {
                for digits in [1.0, 2.5, 9.9949, 9.9996] {
                    let text = value(&theme, digits * 10f64.powi(exponent), unit);
                    let columns = pgas_report::names::width(&text);
                    assert!(columns <= VALUE, "{text} of {unit:?}");
                }
            }
        }
    }
}

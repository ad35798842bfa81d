//! Bars made of characters.

/// A bar of `share` (0 to 1) of `columns`; what is more than nothing shows. `parts` are the parts
/// of a cell from the left, from the smallest to a full one; one entry if there are no parts.
pub fn bar(parts: &[char], share: f64, columns: usize) -> String {
    let Some(full) = parts.last() else {
        return String::new();
    };
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut units = (share * (columns * parts.len()) as f64).round() as usize;
    // One of a thousand is not nothing, but a bar for it would lie.
    if units == 0 && share >= 0.001 {
        units = 1;
    }
    let mut out: String = std::iter::repeat_n(full, units / parts.len()).collect();
    if units % parts.len() > 0 {
        out.push(parts[units % parts.len() - 1]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_what_is_more_than_nothing() {
        let halves = ['-', '='];
        assert_eq!(bar(&halves, 0.5, 3), "=-");
        assert_eq!(bar(&halves, 0.002, 3), "-");
        assert_eq!(bar(&halves, 0.0002, 3), "");
        assert_eq!(bar(&halves, 7.0, 3), "===");
        assert_eq!(bar(&halves, f64::NAN, 3), "");
        assert_eq!(bar(&[], 1.0, 3), "");
    }
}

//! How a sequence develops: a trend, long iterations at regular distances, a slow start, a few
//! outliers, or none of it.

use pgas_base::quantile::{median, quantile};
use pgas_result::phases::Shape;

use super::statistics::{Trend, condense};

/// Values that a trend is computed from; more are averaged.
const TREND_VALUES: usize = 128;
/// A trend must be less likely by chance.
const CHANCE: f64 = 0.01;
/// It must change the values by this share of the larger end.
const CHANGE: f64 = 0.1;
/// A long value is more than this multiple of the lower quartile.
const LONG: f64 = 1.2;
/// Share of the long values at the expected distance, and of these places that are long.
const REGULAR: f64 = 0.8;
/// Fewer long values are not regular.
const LEAST_LONG: usize = 3;
/// Largest distance.
const DISTANCE: usize = 128;
/// A value of the slow start is above the others by this share, and by this number of standard
/// deviations.
const SLOW: (f64, f64) = (0.2, 5.0);
/// The same for an outlier.
const OUTLYING: (f64, f64) = (0.5, 8.0);
/// Share of values that may be outliers.
const FEW: f64 = 0.05;

/// Features found in a sequence. Numbers count its values, from 0.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Development {
    /// Values of the slow start.
    pub slow: usize,
    /// Distance of long values, and the first of them.
    pub every: Option<(usize, usize)>,
    pub outliers: Vec<usize>,
    /// Trend of the values after the slow start; per value.
    pub trend: Trend,
    pub shape: Shape,
    /// Values farther above the trend line than this are outliers.
    above_trend: f64,
    /// There are too many such values for them to be outliers.
    scattered: bool,
}

impl Development {
    pub fn of(values: &[f64]) -> Self {
        let (trend, scatter, level) = line(values);
        let limit = |(share, deviations): (f64, f64)| (share * level).max(deviations * scatter);
        let above = |i: usize| values[i] - (trend.start + trend.slope * i as f64);
        let slow = (0..values.len())
            .take_while(|&i| above(i) > limit(SLOW) && above(i) > 0.0)
            .count();
        let slow = if slow > (values.len() / 5).max(1) || values.len() < 4 {
            0
        } else {
            slow
        };
        let rest = &values[slow..];
        let (trend, scatter, level) = match slow {
            0 => (trend, scatter, level),
            _ => line(rest),
        };
        let every = every(rest, trend.slope).map(|(distance, first)| (distance, first + slow));
        let above_trend = (OUTLYING.0 * level).max(OUTLYING.1 * scatter);
        let at = |i: usize| trend.start + trend.slope * (i - slow) as f64;
        let mut outliers: Vec<usize> = (slow..values.len())
            .filter(|&i| values[i] - at(i) > above_trend && above_trend > 0.0)
            .filter(|&i| every.is_none_or(|(distance, first)| i % distance != first % distance))
            .collect();
        let scattered = outliers.len() as f64 > (FEW * values.len() as f64).max(1.0);
        if scattered {
            outliers.clear();
        }
        let trend = Trend {
            start: trend.start - trend.slope * slow as f64,
            ..trend
        };
        let shape = match () {
            _ if is_notable(&trend, slow, values.len()) && trend.slope > 0.0 => Shape::Growing,
            _ if is_notable(&trend, slow, values.len()) => Shape::Shrinking,
            _ if every.is_some() => Shape::Alternating,
            _ if slow > 0 => Shape::WarmUp,
            _ if !outliers.is_empty() => Shape::Outliers,
            _ => Shape::Steady,
        };
        Development {
            slow,
            every,
            outliers,
            trend,
            shape,
            above_trend,
            scattered,
        }
    }

    /// By how much a value at a place (which may lie between those of the sequence) is above the
    /// trend.
    pub fn above_trend(&self, place: f64, value: f64) -> f64 {
        value - (self.trend.start + self.trend.slope * place)
    }

    /// Above the trend by more than this, a value is an outlier; `None` if too many values are for
    /// them to be outliers.
    pub fn outlying(&self) -> Option<f64> {
        (self.above_trend > 0.0 && !self.scattered).then_some(self.above_trend)
    }
}

/// Whether the long values of another part of the same sequence, which begins at the place `from`,
/// are at the same distance.
pub(crate) fn goes_on(values: &[f64], from: u64, (distance, first): (usize, usize)) -> bool {
    let trend = line(values).0;
    let first = (first as u64 + distance as u64 - from % distance as u64) % distance as u64;
    let long = long(values, trend.slope);
    regularity(&long, count(&long), distance, first as usize).is_some()
}

fn is_notable(trend: &Trend, from: usize, until: usize) -> bool {
    let at = |i: usize| trend.start + trend.slope * i as f64;
    let (begin, end) = (at(from), at(until.saturating_sub(1)));
    let larger = begin.abs().max(end.abs());
    trend.probability < CHANCE && (end - begin).abs() >= CHANGE * larger && larger > 0.0
}

/// The trend line, the standard deviation of the values around it as the median of their distances
/// tells it, and the median of the values.
fn line(values: &[f64]) -> (Trend, f64, f64) {
    let (each, condensed) = condense(values, TREND_VALUES);
    let mut trend = Trend::of(&condensed);
    trend.slope /= each as f64;
    trend.start -= trend.slope * (each as f64 - 1.0) / 2.0;
    let distance = |(i, value): (usize, &f64)| (value - trend.start - trend.slope * i as f64).abs();
    let distances: Vec<f64> = values.iter().enumerate().map(distance).collect();
    // Of normally distributed values, this is the standard deviation.
    let scatter = 1.4826 * median(&distances).unwrap_or(0.0);
    (trend, scatter, median(values).unwrap_or(0.0))
}

/// Which values are long, apart from the trend.
fn long(values: &[f64], slope: f64) -> Vec<bool> {
    let level: Vec<f64> = values
        .iter()
        .enumerate()
        .map(|(i, value)| value - slope * i as f64)
        .collect();
    let mut sorted = level.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let limit = LONG * quantile(&sorted, 25).unwrap_or(0.0);
    level
        .iter()
        .map(|&value| limit > 0.0 && value > limit)
        .collect()
}

/// The distance at which long values recur, and the first of them.
fn every(values: &[f64], slope: f64) -> Option<(usize, usize)> {
    let long = long(values, slope);
    let all = count(&long);
    if all < LEAST_LONG {
        return None;
    }
    let mut best: Option<(f64, usize, usize)> = None;
    for distance in 2..=(values.len() / 3).min(DISTANCE) {
        for first in 0..distance {
            if let Some(regular) = regularity(&long, all, distance, first) {
                if best.is_none_or(|(known, ..)| regular > known + 1e-9) {
                    best = Some((regular, distance, first));
                }
            }
        }
    }
    best.map(|(_, distance, first)| (distance, first))
}

fn count(long: &[bool]) -> usize {
    long.iter().filter(|&&is_long| is_long).count()
}

/// How well long values, of which there are `all`, are described as those at a distance from each
/// other, 0 to 1; `None` if not.
fn regularity(long: &[bool], all: usize, distance: usize, first: usize) -> Option<f64> {
    let places = || long.iter().skip(first).step_by(distance);
    let hits = places().filter(|&&is_long| is_long).count();
    let of_long = hits as f64 / all as f64;
    if hits < LEAST_LONG || of_long < REGULAR {
        return None;
    }
    let of_places = hits as f64 / places().count() as f64;
    let fits = of_places >= REGULAR;
    fits.then_some(of_long * of_places)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` values of `level`, changed by `change`, that scatter by 2 %.
    fn values(count: usize, change: impl Fn(usize) -> f64) -> Vec<f64> {
        let noise = |i: usize| (crate::model::mix::mix(i as u64) % 1000) as f64 / 1000.0 - 0.5;
        (0..count)
            .map(|i| change(i) * (1.0 + 0.04 * noise(i)))
            .collect()
    }

    #[test]
    fn steady_is_steady() {
        for count in [0, 1, 3, 4, 10, 100, 512] {
            let development = Development::of(&values(count, |_| 5.0));
            assert_eq!(development.shape, Shape::Steady, "{count}");
            assert_eq!((development.slow, development.every), (0, None));
            assert!(development.outliers.is_empty());
        }
        assert_eq!(Development::of(&[0.0; 20]).shape, Shape::Steady);
        assert_eq!(Development::of(&[7.0; 20]).shape, Shape::Steady);
    }

    #[test]
    fn trends_are_told_from_scatter() {
        let growing = Development::of(&values(100, |i| 5.0 + 0.05 * i as f64));
        assert_eq!(growing.shape, Shape::Growing);
        assert!(
            (growing.trend.slope / 0.05 - 1.0).abs() < 0.1,
            "{growing:?}"
        );
        let shrinking = Development::of(&values(300, |i| 5.0 - 0.01 * i as f64));
        assert_eq!(shrinking.shape, Shape::Shrinking);
        assert!((shrinking.trend.slope / -0.01 - 1.0).abs() < 0.1);
        // Two percent more at the end is no growth worth a word.
        let little = Development::of(&values(512, |i| 5.0 + 0.0002 * i as f64));
        assert_eq!(little.shape, Shape::Steady);
    }

    #[test]
    fn regular_long_iterations_are_found_whatever_the_distance() {
        for (distance, first) in [(2, 0), (2, 1), (3, 2), (10, 9), (25, 4), (100, 50)] {
            let long = |i: usize| if i % distance == first { 12.0 } else { 5.0 };
            let development = Development::of(&values(400, long));
            assert_eq!(development.shape, Shape::Alternating, "{distance}");
            assert_eq!(development.every, Some((distance, first)));
            assert!(development.outliers.is_empty());
        }
    }

    #[test]
    fn a_slow_start_is_no_trend_and_outliers_are_no_rhythm() {
        let slow = Development::of(&values(60, |i| if i < 2 { 30.0 } else { 5.0 }));
        assert_eq!((slow.shape, slow.slow), (Shape::WarmUp, 2));
        let odd = |i: usize| if [7, 31, 44].contains(&i) { 20.0 } else { 5.0 };
        let odd = Development::of(&values(60, odd));
        assert_eq!(odd.shape, Shape::Outliers);
        assert_eq!(odd.outliers, [7, 31, 44]);
        assert_eq!((odd.slow, odd.every), (0, None));
    }

    #[test]
    fn scatter_has_no_rhythm() {
        let wild = |i: usize| 1.0 + (crate::model::mix::mix(i as u64 + 7) % 100) as f64 / 20.0;
        for count in [12, 40, 200, 512] {
            let values: Vec<f64> = (0..count).map(wild).collect();
            let development = Development::of(&values);
            assert_eq!(development.every, None, "{count}");
            assert!(!matches!(
                development.shape,
                Shape::Growing | Shape::Shrinking
            ));
        }
    }

    #[test]
    fn a_rhythm_goes_on_at_the_same_places() {
        let long = |i: usize| if i % 7 == 3 { 9.0 } else { 5.0 };
        let later = values(300, |i| long(i + 1000));
        assert!(goes_on(&later, 1000, (7, 3)));
        assert!(!goes_on(&later, 1001, (7, 3)));
    }
}

//! Which comparisons predict best how clocks stand at a later time.
//!
//! A line through two comparisons at `a` and `b`, wrong by `u_a` and `u_b`, is wrong at `t > b` by
//! at most `u_b + (t - b) (u_a + u_b) / (b - a)`: a long distance between the two makes the rate
//! exact, a disturbed comparison spoils it. So the pair is chosen for which the worst of all clocks
//! is best at the time in question. All clocks use the same pair, since then the errors of those
//! that were compared along a ring remain nested: two clocks differ by what lies between them only.

use crate::correction::{Anchor, Correction, Rate};

/// The chosen comparisons and what they promise.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Index of the comparison that gives the rate, if it is another one than `last`.
    pub first: Option<usize>,
    /// Index of the comparison from which times are counted.
    pub last: usize,
    /// By clock: the correction.
    pub corrections: Vec<Correction>,
    /// By clock: ticks of the reference by which it may be wrong at the time in question.
    pub uncertainties: Vec<f64>,
}

impl Prediction {
    /// Uncertainty of the worst clock.
    pub fn worst(&self) -> f64 {
        self.uncertainties.iter().copied().fold(0.0, f64::max)
    }
}

/// Chooses among comparisons, each with one anchor for every clock, for the time `at` of the
/// reference. `None` if there are none.
pub fn predict(comparisons: &[Vec<Anchor>], rate: Rate, at: u64) -> Option<Prediction> {
    let pairs = (0..comparisons.len()).flat_map(|last| {
        let before = (0..last).map(Some);
        before.chain([None]).map(move |first| (first, last))
    });
    let all = pairs.map(|(first, last)| through(comparisons, first, last, rate, at));
    all.reduce(|best, other| match other.worst() < best.worst() {
        true => other,
        false => best,
    })
}

fn through(
    comparisons: &[Vec<Anchor>],
    first: Option<usize>,
    last: usize,
    rate: Rate,
    at: u64,
) -> Prediction {
    let corrections: Vec<Correction> = (0..comparisons[last].len())
        .filter_map(|clock| {
            let chosen = first.into_iter().chain([last]);
            let anchors = chosen.map(|number| comparisons[number][clock]);
            Correction::new(anchors.collect(), rate)
        })
        .collect();
    Prediction {
        first,
        last,
        uncertainties: corrections.iter().map(|c| c.uncertainty_at(at)).collect(),
        corrections,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        ratio: 1.0,
        uncertainty: 1e-4,
    };

    fn anchor(own: u64, uncertainty: f64) -> Vec<Anchor> {
        vec![Anchor {
            own,
            reference: own + 5,
            uncertainty,
        }]
    }

    #[test]
    fn a_disturbed_comparison_is_not_used() {
        let comparisons = [
            anchor(0, 10.0),
            anchor(1_000_000, 10.0),
            anchor(2_000_000, 900.0),
        ];
        let found = predict(&comparisons, RATE, 3_000_000).expect("there are some");
        assert_eq!((found.first, found.last), (Some(0), 1));
        assert!((found.worst() - 50.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn a_long_distance_gives_the_rate() {
        let comparisons = [
            anchor(0, 10.0),
            anchor(9_000_000, 10.0),
            anchor(10_000_000, 10.0),
        ];
        let found = predict(&comparisons, RATE, 11_000_000).expect("there are some");
        assert_eq!((found.first, found.last), (Some(0), 2));
        assert!((found.worst() - 12.0).abs() < 0.1, "{found:?}");
        assert_eq!(predict(&[], RATE, 0), None);
    }
}

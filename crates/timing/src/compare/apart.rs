//! How far apart starts are that happen at the same time by the threads' clocks.
//!
//! The bound `S` takes each comparison for wrong by half of its round trip, in the worst directions.
//! Where loops of clocks show how wrong comparisons are, the difference of two clocks has a known
//! standard deviation `s`. Of two given threads, the one starts earlier than the other by `P = t s`
//! at most, with Student's coefficient `t` at the confidence on one side. The first and the last of
//! all threads are apart by `R = q s / sqrt(2)` at most, with the studentized range `q`. That holds
//! for equal errors of all clocks and is too much, if anything, for others (A. J. Hayter, A proof of
//! the conjecture that the Tukey-Kramer multiple comparisons procedure is conservative, 1984).

use crate::job::Order;
use pgas_clocks::Share;
use pgas_statistics::range::studentized_range;
use pgas_statistics::student;

/// How far starts may be apart without their clocks showing it, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Apart {
    /// S: in any case.
    pub(crate) bound: f64,
    /// P: of two given threads, at the confidence.
    pub(crate) two: f64,
    /// R: of the first and the last of all threads, at the confidence.
    pub(crate) all: f64,
}

/// Errors of clocks at a confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Errors {
    /// Standard deviation of a comparison, as a share of its bound, and how well it is known.
    pub(super) share: Share,
    /// t, q / sqrt(2): in standard deviations of a difference.
    factors: (f64, f64),
}

impl Errors {
    /// Of some clocks.
    pub(super) fn new(share: Share, clocks: usize, confidence: f64) -> Self {
        let two = student::quantile(confidence, share.freedom);
        let all = studentized_range(confidence, clocks, share.freedom) / 2.0_f64.sqrt();
        Errors {
            share,
            factors: (two, all.max(two)),
        }
    }

    /// The same factors for a share with as many degrees of freedom.
    pub(super) fn with(self, share: Share) -> Self {
        Errors { share, ..self }
    }
}

impl Apart {
    /// Without known errors, the bound holds.
    pub(super) fn of(bound: f64, errors: Option<Errors>) -> Self {
        let error = errors.map(|errors| errors.share.value * errors.share.variance.sqrt());
        let within = |factor: &dyn Fn(Errors) -> f64| match (error, errors) {
            (Some(error), Some(errors)) => (error * factor(errors)).min(bound),
            _ => bound,
        };
        Apart {
            bound,
            two: within(&|errors| errors.factors.0),
            all: within(&|errors| errors.factors.1),
        }
    }

    /// The larger one of each.
    pub(crate) fn max(self, other: Apart) -> Apart {
        Apart {
            bound: self.bound.max(other.bound),
            two: self.two.max(other.two),
            all: self.all.max(other.all),
        }
    }
}

/// The bound, from those of the clocks against the reference.
pub(super) fn bound(order: Order, bounds: &[f64]) -> f64 {
    let mut bounds = bounds.to_vec();
    bounds.sort_by(|a, b| f64::total_cmp(b, a));
    match order {
        // The errors of two clocks have those of the links before both in common.
        Order::Ring => bounds.first().copied().unwrap_or(0.0),
        Order::Linear => bounds.iter().take(2).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_loops_the_bound_holds() {
        let bounds = [2.0, 1.0, 3.0];
        assert_eq!(bound(Order::Linear, &bounds), 5.0);
        assert_eq!(bound(Order::Ring, &bounds), 3.0);
        assert_eq!(bound(Order::Ring, &[]), 0.0);
        let apart = Apart::of(5.0, None);
        assert_eq!((apart.bound, apart.two, apart.all), (5.0, 5.0, 5.0));
    }

    #[test]
    fn errors_that_loops_show_hold_at_the_confidence() {
        let share = Share {
            value: 0.1,
            freedom: f64::INFINITY,
            variance: 25.0,
        };
        let apart = Apart::of(9.0, Some(Errors::new(share, 4, 0.95)));
        assert!((apart.two - 0.5 * 1.644_854).abs() < 1e-5, "{apart:?}");
        assert!(
            (apart.all - 0.5 * 3.633 / std::f64::consts::SQRT_2).abs() < 1e-3,
            "{apart:?}"
        );
        // Nothing is farther apart than the bound allows.
        let wide = Share {
            freedom: 1.0,
            ..share
        };
        let wide = Apart::of(5.0, Some(Errors::new(wide, 4, 0.99)));
        assert_eq!((wide.two, wide.all), (5.0, 5.0));
    }
}

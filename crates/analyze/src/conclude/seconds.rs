//! From ticks to seconds, such that sums stay exact.
//!
//! Seconds are rounded to a multiple of a power of two that is small enough not to matter (2^-51 of
//! the total time) and large enough that any sum of such values up to the total is a double without
//! rounding. So the classes of a thread's time add up to its total to the last bit, in whatever
//! order they are added.

/// Converts durations of one experiment.
#[derive(Debug, Clone, Copy)]
pub struct Seconds {
    per_tick: f64,
    quantum: f64,
}

impl Seconds {
    /// `total` is the number of ticks that no sum will exceed; `per_tick` the seconds of one.
    pub fn new(per_tick: f64, total: u64) -> Self {
        let total = (total as f64 * per_tick).max(f64::MIN_POSITIVE);
        let exponent = (total.log2().ceil() as i32).clamp(-900, 900);
        Seconds {
            per_tick,
            quantum: 2f64.powi(exponent - 51),
        }
    }

    /// Seconds of one tick.
    pub fn per_tick(&self) -> f64 {
        self.per_tick
    }

    /// Seconds of a duration.
    pub fn of(&self, ticks: u64) -> f64 {
        (ticks as f64 * self.per_tick / self.quantum).round() * self.quantum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_do_not_depend_on_order(mut parts in prop::collection::vec(0u64..1 << 40, 1..50), rate in 0.1f64..4.0) {
            let seconds = Seconds::new(1e-9 / rate, parts.iter().sum());
            let sum = |parts: &[u64]| parts.iter().map(|&p| seconds.of(p)).sum::<f64>();
            let forwards = sum(&parts);
            parts.sort();
            let in_order = sum(&parts);
            parts.reverse();
            prop_assert_eq!(forwards.to_bits(), in_order.to_bits());
            prop_assert_eq!(forwards.to_bits(), sum(&parts).to_bits());
            let exact = parts.iter().sum::<u64>() as f64 * (1e-9 / rate);
            prop_assert!((forwards - exact).abs() <= exact * 1e-13);
        }
    }
}

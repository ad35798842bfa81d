//! POP efficiency factors (<https://pop-coe.eu>), with computation as the useful time.

use pgas_result::summary::Efficiency;

/// From the useful time of each thread and the length of the run, in the same unit. Without threads
/// or time there is nothing to lose: 1.
pub fn efficiency(useful: &[u64], runtime: u64) -> Efficiency {
    let longest = useful.iter().copied().max().unwrap_or(0) as f64;
    let sum: f64 = useful.iter().map(|&ticks| ticks as f64).sum();
    let mean = sum / useful.len().max(1) as f64;
    let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
    let load_balance = ratio(mean, longest);
    let communication_efficiency = ratio(longest, runtime as f64);
    Efficiency {
        load_balance,
        communication_efficiency,
        parallel_efficiency: load_balance * communication_efficiency,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply() {
        let e = efficiency(&[80, 40], 100);
        assert_eq!((e.load_balance, e.communication_efficiency), (0.75, 0.8));
        assert!((e.parallel_efficiency - 0.6).abs() < 1e-15);
    }

    #[test]
    fn nothing_is_not_inefficient() {
        assert_eq!(efficiency(&[], 0).parallel_efficiency, 1.0);
        assert_eq!(efficiency(&[0, 0], 10).parallel_efficiency, 0.0);
    }
}

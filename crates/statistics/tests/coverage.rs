//! Intervals contain the truth as often as they say, in simulations with fixed seeds.

use pgas_statistics::difference::{Difference, Mean, factor, logarithmic};
use pgas_statistics::fit::{Bounds, Fit, Point, Shape};
use pgas_statistics::many::any_false_alarm;
use pgas_statistics::trimmed::Trimmed;

const TRIALS: usize = 4000;

/// Pseudo-random numbers (xorshift64*, S. Vigna 2016).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (bits as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Symmetric about 0, with outliers: one of ten values scatters ten times as far.
    fn disturbed(&mut self) -> f64 {
        let scale = if self.uniform() < 0.1 { 10.0 } else { 1.0 };
        scale * self.normal()
    }
}

/// The share of trials in which something holds.
fn share(seed: u64, mut trial: impl FnMut(&mut Random) -> bool) -> f64 {
    let mut random = Random(seed);
    let held = (0..TRIALS).filter(|_| trial(&mut random)).count();
    held as f64 / TRIALS as f64
}

fn sample(count: usize, mut value: impl FnMut() -> f64) -> Vec<f64> {
    (0..count).map(|_| value()).collect()
}

fn contains(interval: (f64, f64), value: f64) -> bool {
    interval.0 <= value && value <= interval.1
}

#[test]
fn trimmed_means() {
    for (count, confidence) in [(10, 0.9), (10, 0.95), (31, 0.95), (31, 0.99), (100, 0.95)] {
        let normal = share(count as u64, |random| {
            let values = sample(count, || random.normal());
            contains(
                Trimmed::of(&values, 0.25).unwrap().interval(confidence),
                0.0,
            )
        });
        let disturbed = share(count as u64 + 1, |random| {
            let values = sample(count, || random.disturbed());
            contains(
                Trimmed::of(&values, 0.25).unwrap().interval(confidence),
                0.0,
            )
        });
        println!("{count} values, {confidence}: normal {normal}, disturbed {disturbed}");
        for found in [normal, disturbed] {
            assert!(
                found > confidence - 0.015,
                "{count}: {found} of {confidence}"
            );
            assert!(
                found < confidence + 0.035,
                "{count}: {found} of {confidence}"
            );
        }
    }
}

/// The plain standard error of what remains after trimming, which others report.
#[test]
fn plain_errors_of_trimmed_samples_would_be_too_small() {
    let found = share(7, |random| {
        let mut values = sample(31, || random.normal());
        values.sort_by(f64::total_cmp);
        contains(
            Trimmed::of(&values[7..24], 0.0).unwrap().interval(0.95),
            0.0,
        )
    });
    println!("plain: {found}");
    assert!(found < 0.8, "{found}");
}

#[test]
fn differences_and_factors_of_unlike_sides() {
    let mut factors = 0;
    let found = share(11, |random| {
        let before = sample(8, || 10.0 + 0.2 * random.normal());
        let after = sample(20, || 12.0 + random.normal());
        let sides = (Mean::of(&before).unwrap(), Mean::of(&after).unwrap());
        let ratio = factor(&logarithmic(sides.0, sides.1).unwrap(), 0.95, 0.0);
        factors += usize::from(contains(ratio.1, 1.2));
        contains(Difference::between(sides.0, sides.1).interval(0.95), 2.0)
    });
    let factors = factors as f64 / TRIALS as f64;
    println!("differences {found}, factors {factors}");
    assert!((found - 0.95).abs() < 0.012, "{found}");
    assert!((factors - 0.95).abs() < 0.012, "{factors}");
}

/// Two hundred rows without any difference: a false alarm in at most 5 of 100 comparisons, where
/// each row by itself would have called ten certain.
#[test]
fn many_comparisons_have_few_false_alarms() {
    let mut random = Random(13);
    let (mut alarms, mut uncorrected) = (0, 0);
    let comparisons = 400;
    for _ in 0..comparisons {
        let row = |random: &mut Random| {
            let mut side = || {
                let values = sample(12, || 5.0 + 0.1 * random.disturbed());
                Mean::from(Trimmed::of(&values, 0.25).unwrap())
            };
            logarithmic(side(), side()).unwrap().probability()
        };
        let probabilities = sample(200, || row(&mut random));
        uncorrected += probabilities.iter().filter(|p| **p <= 0.05).count();
        let corrected = any_false_alarm(&probabilities);
        alarms += usize::from(corrected.iter().any(|p| *p <= 0.05));
    }
    let (share, rows) = (
        alarms as f64 / comparisons as f64,
        uncorrected / comparisons,
    );
    println!("false alarms in {share} of comparisons, without correction {rows} rows of each");
    assert!(share <= 0.07, "{share}");
    assert!(rows >= 5, "{rows}");
}

#[test]
fn coefficients_and_curves_of_fits() {
    let sizes = [8.0, 64.0, 512.0, 4096.0, 32768.0, 262_144.0];
    let truth = |m: f64| 1.2 + 0.000_11 * m;
    let mut held = [0; 3];
    let mut random = Random(17);
    for _ in 0..TRIALS {
        let point = |x: f64, random: &mut Random| Point {
            x,
            y: truth(x) * (1.0 + 0.03 * random.normal()),
            error: 0.03 * truth(x),
        };
        let points: Vec<Point> = sizes.iter().map(|&x| point(x, &mut random)).collect();
        let fit = Fit::of(&points, Shape::Linear, Bounds::NotNegative).unwrap();
        held[0] += usize::from(contains(fit.constant_interval(0.95), 1.2));
        held[1] += usize::from(contains(fit.slope_interval(0.95), 0.000_11));
        held[2] += usize::from(contains(fit.interval_at(1000.0, 0.95), truth(1000.0)));
    }
    let shares = held.map(|count| count as f64 / TRIALS as f64);
    println!("constant, slope, curve: {shares:?}");
    // Errors are enlarged where points lie far from the curve and never reduced, so these are safe.
    for share in shares {
        assert!((0.945..=0.999).contains(&share), "{shares:?}");
    }
}

//! Rate of false alarms and time to detection of the test on simulated series of known mean. Prints
//! its figures.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::{MeanTest, Verdict};

/// Values of a run: 17 minutes at one each 200 ms.
const PERIODS: usize = 5000;

/// Kinds of noise around the mean.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Noise {
    /// Uncorrelated.
    Independent,
    /// First-order autoregressive, with this lag-1 correlation.
    Following(f64),
    /// Alternating high and low phases of this length.
    Phases(usize),
    /// Low, with rare bursts of 4 values.
    Bursts,
}

pub(crate) struct Series {
    noise: Noise,
    mean: f64,
    scatter: f64,
    random: SmallRng,
    state: f64,
    period: usize,
    burst: u32,
}

impl Series {
    pub(crate) fn new(noise: Noise, mean: f64, scatter: f64, seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let period = random.random_range(0..1000);
        Series {
            noise,
            mean,
            scatter,
            state: normal(&mut random),
            random,
            period,
            burst: 0,
        }
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.period += 1;
        let fresh = normal(&mut self.random);
        let deviation = match self.noise {
            Noise::Independent => fresh,
            Noise::Following(share) => {
                self.state = share * self.state + (1.0 - share * share).sqrt() * fresh;
                self.state
            }
            Noise::Phases(length) => {
                let side = if self.period / length % 2 == 0 {
                    1.0
                } else {
                    -1.0
                };
                side + 0.2 * fresh
            }
            Noise::Bursts => {
                if self.burst == 0 && self.random.random::<f64>() < 0.01 {
                    self.burst = 5;
                }
                self.burst = self.burst.saturating_sub(1);
                // 4 of about 104 periods are 5 scatters high.
                if self.burst > 0 {
                    5.0
                } else {
                    -0.2 + 0.2 * fresh
                }
            }
        };
        (self.mean + self.scatter * deviation).clamp(0.0, 1.0)
    }
}

fn normal(random: &mut SmallRng) -> f64 {
    let (a, b): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

pub(crate) const NOISES: [Noise; 7] = [
    Noise::Independent,
    Noise::Following(0.3),
    Noise::Following(0.6),
    Noise::Following(0.9),
    Noise::Phases(2),
    Noise::Phases(7),
    Noise::Bursts,
];

/// Share of runs with the verdict that the mean is above the limit, and median number of values to
/// that verdict.
fn found(noise: Noise, mean: f64, scatter: f64, limit: f64, runs: u64) -> (f64, Option<usize>) {
    let mut after: Vec<usize> = (0..runs)
        .filter_map(|seed| {
            let mut series = Series::new(noise, mean, scatter, seed);
            let mut test = MeanTest::new(limit, 0.05);
            (1..=PERIODS).find(|_| test.add(series.next()) == Verdict::Above)
        })
        .collect();
    after.sort_unstable();
    let median = after.get(after.len() / 2).copied();
    (after.len() as f64 / runs as f64, median)
}

/// The mean is close to the limit: 17 % against 20 %.
#[test]
fn false_alarms_are_rare() {
    for noise in NOISES {
        let (share, _) = found(noise, 0.17, 0.06, 0.2, 400);
        println!(
            "{noise:?}: {:.1} % of runs with a false alarm",
            100.0 * share
        );
        assert!(share <= 0.05, "{noise:?}: {share}");
    }
}

#[test]
fn inefficient_programs_are_found_soon() {
    for noise in NOISES {
        for mean in [0.25, 0.3, 0.5] {
            let (share, median) = found(noise, mean, 0.06, 0.2, 100);
            println!(
                "{noise:?}, {mean}: {:.0} %, median {median:?} periods",
                100.0 * share
            );
            assert!(share >= 0.9 && median.is_some_and(|median| median < 400));
        }
    }
}

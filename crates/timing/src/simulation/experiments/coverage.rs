//! How often the true time of an operation lies in the stated interval.

use super::super::operations::Algorithm;
use super::super::truth;
use super::{Model, collective, time};
use crate::job::{Order, Settings};

const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::Barrier,
    Algorithm::LinearBroadcast,
    Algorithm::BinomialBroadcast,
    Algorithm::AllToAll,
];

/// Measurements whose truth is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// How clocks were compared.
    pub order: Order,
    /// Number of threads.
    pub threads: usize,
    /// Measurements.
    pub measured: usize,
    /// Those whose interval holds the truth.
    pub inside: usize,
    /// Those that gave no time, since too few launches were correct.
    pub failed: usize,
    /// Mean of the distances of measured time from truth, in seconds.
    pub error: f64,
    /// Mean of half the intervals' lengths, in seconds.
    pub stated: f64,
    /// Mean of Student's part of these.
    pub student: f64,
}

/// Measures four operations in turns on clusters with the given seeds.
pub fn coverage(order: Order, threads: usize, seeds: std::ops::Range<u64>) -> Coverage {
    let mut all = Coverage {
        order,
        threads,
        measured: 0,
        inside: 0,
        failed: 0,
        error: 0.0,
        stated: 0.0,
        student: 0.0,
    };
    for seed in seeds {
        one(&mut all, seed);
    }
    let timed = (all.measured - all.failed).max(1) as f64;
    all.error /= timed;
    all.stated /= timed;
    all.student /= timed;
    all
}

fn one(all: &mut Coverage, seed: u64) {
    let settings = Settings {
        order: all.order,
        ..Settings::default()
    };
    let model = Model::cluster(all.threads, seed);
    let algorithm = ALGORITHMS[seed as usize % ALGORITHMS.len()];
    let true_time = truth(&model, 1e-3, settings.trimmed_share, collective(algorithm));
    all.measured += 1;
    let (Some(measured), Some(true_time)) =
        (time(&model, &settings, collective(algorithm)), true_time)
    else {
        all.failed += 1;
        return;
    };
    let summary = measured.summary;
    let (low, high) = summary.interval;
    all.inside += usize::from(low <= true_time && true_time <= high);
    all.error += (summary.mean - true_time).abs();
    all.stated += (high - low) / 2.0;
    all.student += summary.error;
}

//! How often the true time of an operation lies in the stated interval, and how wide that is beside
//! the real error.

use super::super::operations::Algorithm;
use super::super::truth;
use super::{Model, collective, time};
use crate::job::{Order, Settings};

/// The operations that are measured in turns.
pub const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::Barrier,
    Algorithm::LinearBroadcast,
    Algorithm::BinomialBroadcast,
    Algorithm::AllToAll,
];

/// How messages take longer in one direction than in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// They do not.
    Symmetric,
    /// Each way between two nodes differs from the mean by up to 20 %, there and back by
    /// themselves.
    Asymmetric,
    /// All ways to a node differ from the mean by up to 20 %, which loops of clocks do not show.
    SlowReceivers,
}

impl Network {
    /// A cluster with this network.
    pub fn cluster(self, threads: usize, seed: u64) -> Model {
        let (asymmetry, slow_receivers) = match self {
            Network::Symmetric => (0.0, 0.0),
            Network::Asymmetric => (0.2, 0.0),
            Network::SlowReceivers => (0.0, 0.2),
        };
        Model {
            asymmetry,
            slow_receivers,
            ..Model::cluster(threads, seed)
        }
    }
}

/// A measurement whose truth is known. All in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    error: f64,
    /// Half of the interval.
    stated: f64,
    /// Half of an interval with the bound of clocks in place of their error.
    bound: f64,
    student: f64,
    is_inside: bool,
    is_within_bound: bool,
}

/// Measurements whose truth is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// Measurements that were begun.
    pub begun: usize,
    known: Vec<Known>,
}

impl Coverage {
    /// Measurements that gave no time, since too few launches were correct.
    pub fn failed(&self) -> usize {
        self.begun - self.known.len()
    }

    /// Share of all measurements whose interval holds the truth.
    pub fn inside(&self) -> f64 {
        self.share(|known| known.is_inside)
    }

    /// The same of intervals with the bound of clocks in place of their error.
    pub fn within_bound(&self) -> f64 {
        self.share(|known| known.is_within_bound)
    }

    /// Median of the distances of the mean from the truth, in seconds.
    pub fn error(&self) -> f64 {
        self.median(|known| known.error)
    }

    /// Median of half the intervals' lengths, in seconds.
    pub fn stated(&self) -> f64 {
        self.median(|known| known.stated)
    }

    /// Median of Student's part of these.
    pub fn student(&self) -> f64 {
        self.median(|known| known.student)
    }

    /// Median of the intervals' halves, each through the error of its measurement.
    pub fn ratio(&self) -> f64 {
        self.median(|known| known.stated / known.error)
    }

    /// The same with the bound of clocks in place of their error.
    pub fn bound_ratio(&self) -> f64 {
        self.median(|known| known.bound / known.error)
    }

    fn share(&self, holds: impl Fn(&Known) -> bool) -> f64 {
        let count = self.known.iter().filter(|known| holds(known)).count();
        count as f64 / self.begun.max(1) as f64
    }

    fn median(&self, value: impl Fn(&Known) -> f64) -> f64 {
        let mut values: Vec<f64> = self.known.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Measures four operations in turns on clusters with the given seeds.
pub fn coverage(
    network: Network,
    order: Order,
    threads: usize,
    seeds: std::ops::Range<u64>,
) -> Coverage {
    let begun = seeds.clone().count();
    let known = seeds.filter_map(|seed| one(order, &network.cluster(threads, seed)));
    Coverage {
        begun,
        known: known.collect(),
    }
}

fn one(order: Order, model: &Model) -> Option<Known> {
    let settings = Settings {
        order,
        ..Settings::default()
    };
    let algorithm = ALGORITHMS[model.seed as usize % ALGORITHMS.len()];
    let truth = truth(model, 1e-3, settings.trimmed_share, collective(algorithm))?;
    let measured = time(model, &settings, collective(algorithm))?;
    let summary = measured.summary;
    let (low, high) = summary.interval;
    let (error, bound) = (
        (summary.mean - truth).abs(),
        summary.error + measured.clock_uncertainty,
    );
    Some(Known {
        error,
        stated: (high - low) / 2.0,
        bound,
        student: summary.error,
        is_inside: low <= truth && truth <= high,
        is_within_bound: error <= bound,
    })
}

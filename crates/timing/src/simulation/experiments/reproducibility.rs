//! How well measurements repeat, by method.

use super::super::operations::Algorithm;
use super::super::truth;
use super::{Model, collective, time};
use crate::job::{Method, Settings};
use pgas_statistics::trimmed::Trimmed;

/// Repetitions of one measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// How launches were started.
    pub method: Method,
    /// What was measured.
    pub algorithm: Algorithm,
    /// Means of the repetitions, in seconds.
    pub means: Vec<f64>,
    /// Standard error of the mean of all, as a part of it.
    pub relative_error: f64,
    /// By how much that mean is too large (or, below 0, too small), as a part of the truth.
    pub bias: f64,
}

/// Repeats measurements on the same cluster, with other jitter and noise each time. Only rule 1
/// ends them, so that each method has its full number of launches.
pub fn reproducibility(
    method: Method,
    algorithm: Algorithm,
    cluster: &Model,
    repetitions: u64,
) -> Option<Scatter> {
    let settings = Settings {
        method,
        relative_error: 0.0,
        ..Settings::default()
    };
    let repeated = (0..repetitions).map(|stream| {
        let model = Model {
            stream,
            ..cluster.clone()
        };
        Some(time(&model, &settings, collective(algorithm))?.summary.mean)
    });
    let means: Vec<f64> = repeated.collect::<Option<_>>()?;
    let all = Trimmed::of(&means, 0.0)?;
    let share = settings.trimmed_share;
    let true_time = truth(cluster, 1e-3, share, collective(algorithm))?;
    Some(Scatter {
        method,
        algorithm,
        bias: all.mean / true_time - 1.0,
        relative_error: all.standard_error / all.mean,
        means,
    })
}

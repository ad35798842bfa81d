//! Sequential test of whether the mean of a noisy series is above or below a limit.
//!
//! Successive values are correlated, so their plain standard error is too small. The test uses the
//! method of batch means (A. M. Law and J. S. Carson, A Sequential Procedure for Determining the
//! Length of a Steady-State Simulation, Operations Research 27, 1979): it averages values in batches
//! long enough that successive means are nearly uncorrelated, and takes Student's interval of the
//! means. Repeated looks inflate the error rate, so each look spends a part of the total error
//! probability, and all parts add up to no more than that (alpha spending).

use pgas_statistics::student::quantile;

/// Number of values at the first look.
const FIRST: usize = 20;
/// Growth of the number of values from one look to the next.
const NEXT: f64 = 1.25;
/// Number of values after which an undecided test restarts.
const MOST: usize = 512;
/// Min number of batches for the standard error.
const FEWEST_BATCHES: usize = 10;
/// Max lag-1 correlation of batch means that count as independent.
const CORRELATED: f64 = 0.2;
/// Lower bound of the standard deviation: a short constant series proves less than it seems.
const LEAST_SCATTER: f64 = 0.01;

/// Result of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The interval contains the limit.
    Undecided,
    /// The mean is above the limit.
    Above,
    /// The mean is below the limit.
    Below,
}

/// A test that never ends: after each verdict it restarts with the values that follow.
#[derive(Debug, Clone)]
pub struct MeanTest {
    limit: f64,
    /// Error probability over all looks.
    error: f64,
    /// Mean of the values of the last verdict.
    mean: f64,
    values: Vec<f64>,
    /// Number of values at the next look.
    next: usize,
    /// Looks so far, including those before restarts.
    looks: u32,
    /// Min batch length. It only grows: a short series underestimates its correlation.
    shortest: usize,
}

impl MeanTest {
    /// A test of whether the mean exceeds `limit`. `error` is the max probability of a wrong verdict
    /// over all looks, for each of the two verdicts.
    pub fn new(limit: f64, error: f64) -> Self {
        MeanTest {
            limit,
            error,
            mean: 0.0,
            values: Vec::new(),
            next: FIRST,
            looks: 0,
            shortest: 1,
        }
    }

    /// Adds a value. The test restarts after a verdict, and after 512 values without one.
    pub fn add(&mut self, value: f64) -> Verdict {
        self.values.push(value);
        if self.values.len() < self.next {
            return Verdict::Undecided;
        }
        self.looks += 1;
        self.next = (self.next as f64 * NEXT).ceil() as usize;
        let verdict = self.verdict();
        if verdict != Verdict::Undecided || self.values.len() >= MOST {
            self.restart();
        }
        verdict
    }

    fn restart(&mut self) {
        self.values.clear();
        self.next = FIRST;
    }

    /// Mean of the values of the last verdict.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    fn verdict(&mut self) -> Verdict {
        let Some((length, means, correlated)) = batches(&self.values, self.shortest) else {
            return Verdict::Undecided;
        };
        self.shortest = length;
        let (mean, scatter) = mean_and_scatter(&means);
        // The remaining correlation increases the standard error by this factor.
        let larger = ((1.0 + correlated) / (1.0 - correlated)).sqrt();
        let error = larger * scatter.max(LEAST_SCATTER) / (means.len() as f64).sqrt();
        let freedom = (means.len() - 1) as f64;
        let half = quantile(1.0 - self.error_of_look(), freedom) * error;
        let verdict = if mean - half > self.limit {
            Verdict::Above
        } else if mean + half < self.limit {
            Verdict::Below
        } else {
            return Verdict::Undecided;
        };
        self.mean = mean;
        verdict
    }

    /// Look j spends 1 / (2 j (1 + ln j)^2) of the error; the sum over all j is at most 1.
    fn error_of_look(&self) -> f64 {
        let look = f64::from(self.looks.max(1));
        self.error / (2.0 * look * (1.0 + look.ln()).powi(2))
    }
}

/// Length, means and lag-1 correlation (at least 0) of nearly uncorrelated batches; `None` if the
/// series is too short for such batches.
fn batches(values: &[f64], shortest: usize) -> Option<(usize, Vec<f64>, f64)> {
    let mut length = shortest;
    while values.len() / length >= FEWEST_BATCHES {
        let means: Vec<f64> = values
            .chunks_exact(length)
            .map(|batch| batch.iter().sum::<f64>() / length as f64)
            .collect();
        let correlation = correlation(&means);
        if correlation <= CORRELATED {
            return Some((length, means, correlation.max(0.0)));
        }
        length *= 2;
    }
    None
}

fn mean_and_scatter(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0)).sqrt())
}

/// Lag-1 autocorrelation; 0 for a nearly constant series. The estimate from n values is biased by
/// about -(1 + 3 r) / n, which is corrected (M. G. Kendall, Note on Bias in the Estimation of
/// Autocorrelation, Biometrika 41, 1954).
fn correlation(values: &[f64]) -> f64 {
    let (mean, scatter) = mean_and_scatter(values);
    let count = values.len() as f64;
    if scatter < LEAST_SCATTER {
        return 0.0;
    }
    let all = scatter.powi(2) * (count - 1.0);
    let pairs = values.windows(2);
    let products: f64 = pairs.map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let found = products / all;
    found + (1.0 + 3.0 * found.max(0.0)) / count
}

//! Sequential test of whether the mean of a noisy series is above or below a limit.
//!
//! Values of successive periods depend on each other, so their plain standard error is too small.
//! The test takes means of batches instead, of as many values that successive means are hardly
//! correlated (the method of batch means: A. M. Law and J. S. Carson, A Sequential Procedure for
//! Determining the Length of a Steady-State Simulation, Operations Research 27, 1979), and Student's
//! interval of these. It looks again and again, which would find something sooner or later; so the
//! probability of an error is shared out among all looks that may come.

use pgas_statistics::student::quantile;

/// Values before the first look.
const FIRST: usize = 20;
/// Factor of the number of values from one look to the next.
const NEXT: f64 = 1.25;
/// Values after which a test that has not decided begins anew.
const MOST: usize = 512;
/// Batches that the error of the mean is estimated from, at least.
const FEWEST_BATCHES: usize = 10;
/// Correlation of successive batches up to which they count as independent.
const CORRELATED: f64 = 0.2;
/// Scatter that values have at least: a short series that stands still proves less than it seems.
const LEAST_SCATTER: f64 = 0.01;

/// What is certain of the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing yet.
    Undecided,
    /// It is above the limit.
    Above,
    /// It is below the limit.
    Below,
}

/// A test that goes on for as long as values come.
#[derive(Debug, Clone)]
pub struct MeanTest {
    limit: f64,
    /// Probability of an error, over all looks.
    error: f64,
    values: Vec<f64>,
    /// Number of values at the next look.
    next: usize,
    /// Looks so far, those before the test began anew included.
    looks: u32,
    /// Length of batches in the last look that found one: later ones have none that are shorter.
    shortest: usize,
}

impl MeanTest {
    /// A test of whether the mean exceeds `limit` that is wrong with the probability `error` at
    /// most, for each of the two answers.
    pub fn new(limit: f64, error: f64) -> Self {
        MeanTest {
            limit,
            error,
            values: Vec::new(),
            next: FIRST,
            looks: 0,
            shortest: 1,
        }
    }

    /// Adds a value. After a verdict, and after a long time without one, the test begins anew, with
    /// values that are to come.
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

    /// Mean of the values since the test began.
    pub fn mean(&self) -> Option<f64> {
        let count = self.values.len();
        (count > 0).then(|| self.values.iter().sum::<f64>() / count as f64)
    }

    fn verdict(&mut self) -> Verdict {
        let Some((length, means, correlated)) = batches(&self.values, self.shortest) else {
            return Verdict::Undecided;
        };
        self.shortest = length;
        let (mean, scatter) = mean_and_scatter(&means);
        // What is left of the correlation makes the error of the mean larger by this factor.
        let larger = ((1.0 + correlated) / (1.0 - correlated)).sqrt();
        let error = larger * scatter.max(LEAST_SCATTER) / (means.len() as f64).sqrt();
        let freedom = (means.len() - 1) as f64;
        let half = quantile(1.0 - self.error_of_look(), freedom) * error;
        if mean - half > self.limit {
            Verdict::Above
        } else if mean + half < self.limit {
            Verdict::Below
        } else {
            Verdict::Undecided
        }
    }

    /// Of look j, 1 / (2 j (1 + ln j)^2) of the whole: over all j, that is no more than 1.
    fn error_of_look(&self) -> f64 {
        let look = f64::from(self.looks.max(1));
        self.error / (2.0 * look * (1.0 + look.ln()).powi(2))
    }
}

/// Batches that are hardly correlated: their length, their means, and their correlation, at least 0;
/// `None` if there are too few values for that.
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

/// Of each value with the next one; 0 if they hardly scatter. The estimate from few values is too
/// low by about (1 + 3 r) / n, which is corrected (M. G. Kendall, Note on Bias in the Estimation of
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

//! A hypothesis: confirmed when the mean of its series is above a limit, rejected when it is below.

use crate::mean_test::{MeanTest, Verdict};

#[derive(Debug)]
pub(crate) struct Hypothesis {
    test: MeanTest,
    is_confirmed: bool,
}

impl Hypothesis {
    pub(crate) fn new(limit: f64, error: f64) -> Self {
        Hypothesis {
            test: MeanTest::new(limit, error),
            is_confirmed: false,
        }
    }

    /// Adds a value of the series.
    pub(crate) fn add(&mut self, value: f64) {
        match self.test.add(value) {
            Verdict::Above => self.is_confirmed = true,
            Verdict::Below => self.is_confirmed = false,
            Verdict::Undecided => {}
        }
    }

    pub(crate) fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    /// Mean of the series over the window of the last verdict.
    pub(crate) fn mean(&self) -> f64 {
        self.test.mean()
    }
}

/// Share of a level's error probability for its hypothesis with this index (from 0):
/// 1 / ((i + 1) (i + 2)), which adds up to 1 however many hypotheses follow.
pub(crate) fn part_of(error: f64, index: usize) -> f64 {
    let number = index as f64 + 1.0;
    error / (number * (number + 1.0))
}

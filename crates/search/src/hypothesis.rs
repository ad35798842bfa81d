//! A hypothesis: confirmed when the mean of its series is above a limit, dropped when it is below.

use crate::mean_test::{MeanTest, Verdict};

#[derive(Debug)]
pub(crate) struct Hypothesis {
    test: MeanTest,
    is_confirmed: bool,
    /// Sum and number of the values by which it was confirmed.
    sum: f64,
    count: u32,
    /// Their mean.
    pub(crate) mean: f64,
}

impl Hypothesis {
    pub(crate) fn new(limit: f64, error: f64) -> Self {
        Hypothesis {
            test: MeanTest::new(limit, error),
            is_confirmed: false,
            sum: 0.0,
            count: 0,
            mean: 0.0,
        }
    }

    /// Takes a value of the series.
    pub(crate) fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
        let verdict = self.test.add(value);
        if verdict == Verdict::Undecided {
            return;
        }
        self.mean = self.sum / f64::from(self.count);
        (self.sum, self.count) = (0.0, 0);
        self.is_confirmed = verdict == Verdict::Above;
    }

    pub(crate) fn holds(&self) -> bool {
        self.is_confirmed
    }
}

/// The part of a probability that the hypothesis with this number, from 0, gets, of so many that
/// there may be any number of them: all parts together are the whole.
pub(crate) fn part_of(error: f64, number: usize) -> f64 {
    let number = number as f64 + 1.0;
    error / (number * (number + 1.0))
}

//! A hypothesis: confirmed when the mean of its series is above a limit, dropped when it is below.

use crate::mean_test::{MeanTest, Verdict};

#[derive(Debug)]
pub(crate) struct Hypothesis {
    test: MeanTest,
    /// When it was confirmed, in seconds of the program; `None` if it is not.
    pub(crate) since: Option<f64>,
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
            since: None,
            sum: 0.0,
            count: 0,
            mean: 0.0,
        }
    }

    /// Takes a value of the series, `elapsed` seconds after the program began.
    pub(crate) fn add(&mut self, value: f64, elapsed: f64) {
        self.sum += value;
        self.count += 1;
        let verdict = self.test.add(value);
        if verdict == Verdict::Undecided {
            return;
        }
        self.mean = self.sum / f64::from(self.count);
        (self.sum, self.count) = (0.0, 0);
        self.since = match verdict {
            Verdict::Above => self.since.or(Some(elapsed)),
            _ => None,
        };
    }

    pub(crate) fn holds(&self) -> bool {
        self.since.is_some()
    }
}

/// The part of a probability that the hypothesis with this number, from 0, gets, of so many that
/// there may be any number of them: all parts together are the whole.
pub(crate) fn part_of(error: f64, number: usize) -> f64 {
    let number = number as f64 + 1.0;
    error / (number * (number + 1.0))
}

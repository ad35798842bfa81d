//! One quantity before and after, and what can be said about the difference.

use serde::Serialize;

use pgas_statistics::difference::Difference;
use pgas_statistics::many::false_discoveries;
use pgas_statistics::trimmed::mean;

use super::CONFIDENCE;

/// Judgement of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Less time, and not by accident.
    Better,
    /// More time, and not by accident.
    Worse,
    /// Less of what is not time, and not by accident.
    Less,
    /// More of what is not time, and not by accident.
    More,
    /// The largest change that the noise leaves possible is too small to matter.
    NoChange,
    /// It may have changed to an extent that matters, or not.
    TooNoisy,
    /// Too little of the whole to be judged.
    Negligible,
    /// The cost of recording on the two sides could explain it.
    NotJudged,
    /// Noise is unknown: at least one side has only a single run.
    Unknown,
}

impl Verdict {
    /// There is a change, in either direction.
    pub fn is_change(self) -> bool {
        matches!(
            self,
            Verdict::Better | Verdict::Worse | Verdict::Less | Verdict::More
        )
    }
}

/// One quantity of two groups of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Mean over runs.
    pub before: f64,
    /// Mean over runs.
    pub after: f64,
    /// After minus before.
    pub change: f64,
    /// The change in percent of before; absent if that is 0.
    pub percent: Option<f64>,
    /// Where the true change lies with a confidence of 95 %; absent without at least two runs on
    /// both sides.
    pub interval: Option<(f64, f64)>,
    /// How probable such a change is by accident, corrected for the number of quantities that are
    /// judged together.
    pub probability: Option<f64>,
    /// Judgement of the change, with noise and relevance taken into account.
    pub verdict: Verdict,
    /// By run.
    pub before_runs: Vec<f64>,
    /// By run.
    pub after_runs: Vec<f64>,
}

impl Change {
    /// Without a verdict, which needs all changes that are judged together.
    pub fn new(before_runs: Vec<f64>, after_runs: Vec<f64>) -> Self {
        let (before, after) = (mean(&before_runs), mean(&after_runs));
        let change = after - before;
        let difference = Difference::of(&before_runs, &after_runs);
        Change {
            before,
            after,
            change,
            percent: (before != 0.0).then(|| 100.0 * change / before),
            interval: difference.map(|d| d.interval(CONFIDENCE)),
            probability: None,
            verdict: Verdict::Unknown,
            before_runs,
            after_runs,
        }
    }

    /// Half the width of the interval, in percent of before.
    pub fn percent_uncertainty(&self) -> Option<f64> {
        let (low, high) = self.interval?;
        (self.before != 0.0).then(|| 50.0 * (high - low) / self.before.abs())
    }

    /// The larger of both sides.
    pub fn size(&self) -> f64 {
        self.before.abs().max(self.after.abs())
    }
}

/// Criteria for a change that matters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relevance {
    /// Less on both sides is not judged.
    pub negligible: f64,
    /// A smaller change of the quantity does not matter, whatever its percentage.
    pub absolute: f64,
    /// It is time, of which less is better.
    pub is_time: bool,
}

/// A change by less than this share of before does not matter.
const RELEVANT_SHARE: f64 = 0.05;

/// Judges changes that are looked at together: among those that are called a change, the expected
/// share of false alarms is at most 5 %.
pub fn judge<'a>(changes: impl IntoIterator<Item = &'a mut Change>, relevance: Relevance) {
    let mut judged = Vec::new();
    for change in changes {
        if change.interval.is_none() {
            change.verdict = Verdict::Unknown;
        } else if change.size() <= relevance.negligible && change.size() > 0.0 {
            change.verdict = Verdict::Negligible;
        } else {
            judged.push(change);
        }
    }
    let probabilities: Vec<f64> = judged
        .iter()
        .map(|change| {
            let difference = Difference::of(&change.before_runs, &change.after_runs);
            difference.map_or(1.0, |d| d.probability())
        })
        .collect();
    for (change, probability) in judged.into_iter().zip(false_discoveries(&probabilities)) {
        change.probability = Some(probability);
        let (low, high) = change.interval.unwrap_or_default();
        let relevant = relevance.absolute.max(RELEVANT_SHARE * change.before.abs());
        change.verdict = if probability <= 1.0 - CONFIDENCE {
            match (change.change < 0.0, relevance.is_time) {
                (true, true) => Verdict::Better,
                (true, false) => Verdict::Less,
                (false, true) => Verdict::Worse,
                (false, false) => Verdict::More,
            }
        } else if low.abs().max(high.abs()) <= relevant {
            Verdict::NoChange
        } else {
            Verdict::TooNoisy
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Relevance = Relevance {
        negligible: 0.001,
        absolute: 0.0,
        is_time: true,
    };

    fn verdict(before: &[f64], after: &[f64]) -> Verdict {
        let mut change = Change::new(before.to_vec(), after.to_vec());
        judge([&mut change], TIME);
        change.verdict
    }

    #[test]
    fn verdicts() {
        let run = [10.0, 10.1, 9.9];
        assert_eq!(verdict(&run, &[12.0, 12.1, 11.9]), Verdict::Worse);
        assert_eq!(verdict(&run, &[8.0, 8.1, 7.9]), Verdict::Better);
        assert_eq!(verdict(&run, &[10.0, 10.05, 9.95]), Verdict::NoChange);
        assert_eq!(verdict(&run, &[9.0, 12.0, 11.0]), Verdict::TooNoisy);
        assert_eq!(verdict(&run, &[12.0]), Verdict::Unknown);
        assert_eq!(verdict(&[1e-4, 2e-4], &[3e-4, 3e-4]), Verdict::Negligible);
        assert_eq!(verdict(&[0.0, 0.0], &[0.0, 0.0]), Verdict::NoChange);
    }

    #[test]
    fn percentages_of_nothing_are_absent() {
        let change = Change::new(vec![0.0], vec![1.0]);
        assert_eq!((change.percent, change.change), (None, 1.0));
        let change = Change::new(vec![4.0], vec![3.0]);
        assert_eq!((change.percent, change.interval), (Some(-25.0), None));
    }

    /// A change that is significant by itself is not as one of many.
    #[test]
    fn one_of_many_must_stand_out_more() {
        let (before, after) = ([10.0, 10.4, 9.6], [11.0, 11.4, 10.6]);
        let judged_with = |others: usize| {
            let unchanged = Change::new(vec![5.0, 5.2, 4.8], vec![5.1, 4.9, 5.0]);
            let mut changes = vec![unchanged; others];
            changes.push(Change::new(before.to_vec(), after.to_vec()));
            judge(&mut changes, TIME);
            changes[others].verdict
        };
        assert_eq!(judged_with(0), Verdict::Worse);
        assert_ne!(judged_with(30), Verdict::Worse);
    }
}

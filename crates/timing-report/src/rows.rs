//! Rows of a result: timings of one operation with the same arguments, size and number of threads.

use crate::names::name;
use crate::results::Results;
use pgas_statistics::difference::Mean;
use pgas_timing::record::Timing;
use std::collections::BTreeMap;

/// Key of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Operation and arguments.
    pub what: String,
    pub bytes: Option<u64>,
    pub threads: usize,
}

impl Key {
    fn of(timing: &Timing) -> Self {
        Key {
            what: name(timing),
            bytes: timing.what.bytes,
            threads: timing.threads,
        }
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        let bytes = self
            .bytes
            .map_or(String::new(), |bytes| format!(", {bytes} bytes"));
        let s = if self.threads == 1 { "" } else { "s" };
        format!("{}{bytes}, {} thread{s}", self.what, self.threads)
    }
}

/// One value of all repetitions of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    pub mean: Mean,
    /// Interval around the mean.
    pub interval: (f64, f64),
    /// By how much starts that are not at the same moment make the mean wrong, the same in all
    /// launches, at the confidence.
    pub systematic: f64,
    pub repetitions: usize,
}

/// The rows of some results, in the order of their keys.
pub(crate) fn values<'a>(results: impl IntoIterator<Item = &'a Results>) -> BTreeMap<Key, Value> {
    let mut rows: BTreeMap<Key, (f64, Vec<&Timing>)> = BTreeMap::new();
    for one in results {
        for timing in one.timings() {
            let row = rows.entry(Key::of(timing)).or_default();
            row.0 = one.settings.confidence;
            row.1.push(timing);
        }
    }
    let combined = rows
        .into_iter()
        .map(|(key, (confidence, timings))| (key, value(&timings, confidence)));
    combined.collect()
}

/// Of one timing its own mean and error; of several, the mean of their means, whose error comes
/// from how these differ.
fn value(timings: &[&Timing], confidence: f64) -> Value {
    let systematic = timings.iter().map(|timing| timing.start_error);
    let systematic = systematic.sum::<f64>() / timings.len() as f64;
    let means: Vec<f64> = timings.iter().map(|timing| timing.summary.mean).collect();
    let repeated = Mean::of(&means);
    let mean = repeated.unwrap_or_else(|| of_one(timings[0]));
    let interval = match repeated {
        None => timings[0].summary.interval,
        Some(mean) => {
            let student = pgas_statistics::student::coefficient(confidence, mean.freedom);
            let half = (mean.error * student).hypot(systematic);
            ((mean.value - half).max(0.0), mean.value + half)
        }
    };
    Value {
        mean,
        interval,
        systematic,
        repetitions: timings.len(),
    }
}

fn of_one(timing: &Timing) -> Mean {
    let summary = &timing.summary;
    Mean {
        value: summary.mean,
        error: summary.standard_error,
        freedom: f64::from(summary.kept.saturating_sub(1)),
    }
}

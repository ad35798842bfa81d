//! Comparison of two results: which operations became faster or slower, and which of these
//! differences are certain.
//!
//! With repetitions on a side, the side's value is the mean of the repetitions' means and its
//! error comes from how they differ; with one measurement, it is the trimmed mean of the launches
//! with its Winsorised error. Logarithms are compared by Welch's test, which with trimmed means is
//! Yuen's, so that the factor has an interval. Errors that are the same in all launches, those of
//! clocks, do not shrink with more of them: they widen the interval, and only what is beyond them
//! counts as a difference. Those of both sides are independent, so their squares add up. Holm's correction keeps the probability that any of all rows is called
//! certain by chance below one less the confidence.

use crate::names::method;
use crate::results::Results;
use crate::rows::{self, Key, Value};
use pgas_statistics::difference::{factor, logarithmic};
use pgas_statistics::many::any_false_alarm;
use pgas_timing::job::Settings;
use pgas_timing::record::Start;
use serde::Serialize;
use std::collections::BTreeMap;

/// Two results, row by row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Confidence of the intervals and of what is called certain.
    pub confidence: f64,
    /// Settings that differ and may be the cause, in sentences; what the comparison cannot know.
    pub remarks: Vec<String>,
    /// Rows that both sides have.
    pub rows: Vec<Row>,
    /// Rows that one side alone has, in words.
    pub only_before: Vec<String>,
    /// Rows that the other side alone has.
    pub only_after: Vec<String>,
}

/// One operation with its arguments, size and number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Operation and arguments.
    pub what: String,
    /// Size, if it has one.
    pub bytes: Option<u64>,
    /// Number of threads.
    pub threads: usize,
    /// Mean before, in seconds.
    pub before: f64,
    /// Mean after, in seconds.
    pub after: f64,
    /// After through before.
    pub factor: f64,
    /// Its interval at the confidence, for this row by itself; absent if a side says nothing about
    /// its error.
    pub interval: Option<(f64, f64)>,
    /// Probability of a difference like this by chance, corrected for the number of rows.
    pub probability: f64,
    /// It is hardly chance.
    pub certain: bool,
}

impl Row {
    /// It certainly became slower, by more than this percentage.
    pub fn exceeds(&self, percent: f64) -> bool {
        let beyond = |(low, _): (f64, f64)| low > 1.0 + percent / 100.0;
        self.certain && self.interval.is_some_and(beyond)
    }
}

impl Comparison {
    /// The rows that certainly became slower by more than this percentage.
    pub fn fail_on(&self, percent: f64) -> Vec<&Row> {
        self.rows
            .iter()
            .filter(|row| row.exceeds(percent))
            .collect()
    }
}

/// Compares two results.
pub fn compare(before: &Results, after: &Results) -> Comparison {
    compare_all(std::slice::from_ref(before), std::slice::from_ref(after))
}

/// Compares two groups of results; those of a group count as repetitions. The confidence is that of
/// the first result before.
pub fn compare_all(before: &[Results], after: &[Results]) -> Comparison {
    let settings = before.first().map(|results| results.settings.clone());
    let confidence = settings.unwrap_or_default().confidence;
    let (first, second) = (rows::values(before), rows::values(after));
    let both = first.iter().filter_map(|(key, value)| {
        let other = second.get(key)?;
        row(key, value, other, confidence)
    });
    let mut rows: Vec<Row> = both.collect();
    correct(&mut rows, confidence);
    let only = |these: &BTreeMap<Key, Value>, those: &BTreeMap<Key, Value>| {
        let missing = these.keys().filter(|key| !those.contains_key(*key));
        missing.map(Key::words).collect()
    };
    let mut remarks = differences(before, after);
    remarks.extend(measured_once(&first, &second));
    Comparison {
        confidence,
        remarks,
        only_before: only(&first, &second),
        only_after: only(&second, &first),
        rows,
    }
}

/// `None` if a time is 0, so that there is no factor.
fn row(key: &Key, before: &Value, after: &Value, confidence: f64) -> Option<Row> {
    let logarithms = logarithmic(before.mean, after.mean)?;
    let relative = |side: &Value| side.systematic / side.mean.value;
    let allowance = relative(before).hypot(relative(after));
    let (factor, interval) = factor(&logarithms, confidence, allowance);
    let is_known = interval.0.is_finite() && interval.1.is_finite() && interval.0 > 0.0;
    Some(Row {
        what: key.what.clone(),
        bytes: key.bytes,
        threads: key.threads,
        before: before.mean.value,
        after: after.mean.value,
        factor,
        interval: is_known.then_some(interval),
        probability: logarithms.probability_beyond(allowance),
        certain: false,
    })
}

fn correct(rows: &mut [Row], confidence: f64) {
    let probabilities: Vec<f64> = rows.iter().map(|row| row.probability).collect();
    for (row, probability) in rows.iter_mut().zip(any_false_alarm(&probabilities)) {
        row.probability = probability;
        row.certain = row.interval.is_some() && probability < 1.0 - confidence;
    }
}

/// Differences between the measurements that may be the cause of other differences.
fn differences(before: &[Results], after: &[Results]) -> Vec<String> {
    let of = |what: &'static str, value: &dyn Fn(&Results) -> String| {
        let side = |side: &[Results]| {
            let mut values: Vec<String> = side.iter().map(value).collect();
            values.sort();
            values.dedup();
            values.join(" and ")
        };
        let (first, second) = (side(before), side(after));
        (first != second).then(|| format!("{what}: {first} before, {second} after"))
    };
    let setting = |what, value: &dyn Fn(&Settings) -> String| of(what, &|r| value(&r.settings));
    let all = [
        setting("method", &|s| method(s.method).to_string()),
        setting("timer", &|s| format!("{:?}", s.timer).to_lowercase()),
        setting("comparison of clocks", &|s| {
            format!("{:?}", s.order).to_lowercase()
        }),
        setting("warm buffers", &|s| yes_no(s.warm)),
        setting("last-level cache", &|s| {
            pgas_base::quantity::bytes(s.cache_bytes as f64)
        }),
        setting("dropped at each end", &|s| {
            pgas_base::quantity::percent(100.0 * s.trimmed_share)
        }),
        of("compiler", &|results| results.compiler.clone()),
        of("hosts", &hosts),
        of("nodes", &nodes),
        of("implementation", &|r| {
            started(r, |start| start.implementation.clone())
        }),
        of("cores for all threads", &|r| {
            started(r, |start| yes_no(start.have_cores))
        }),
    ];
    all.into_iter().flatten().collect()
}

/// Rows without repetitions know nothing about how much one start of the program differs from the
/// next.
fn measured_once(first: &BTreeMap<Key, Value>, second: &BTreeMap<Key, Value>) -> Option<String> {
    let once = first.iter().filter(|(key, value)| {
        let other = second.get(*key);
        other.is_some_and(|other| value.repetitions.min(other.repetitions) == 1)
    });
    let count = once.count();
    (count > 0).then(|| {
        let rows = if count == 1 { "1 row was".to_string() } else { format!("{count} rows were") };
        format!(
            "{rows} measured once on a side: certain means that these two measurements differ, which \
             two starts of one program may do, too; --repeat and several files say how much they do"
        )
    })
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_string()
}

fn hosts(results: &Results) -> String {
    let starts = results.runs.iter().filter_map(|run| run.start.as_ref());
    let mut hosts: Vec<&str> = starts
        .flat_map(|s| s.hosts.iter().map(String::as_str))
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts.join(" ")
}

/// Numbers of nodes, by number of threads.
fn nodes(results: &Results) -> String {
    let count = |run: &crate::results::Run| {
        let start = run.start.as_ref()?;
        Some(format!(
            "{} for {} threads",
            start.hosts.len(),
            start.nodes.len()
        ))
    };
    let mut counts: Vec<String> = results.runs.iter().filter_map(count).collect();
    counts.sort();
    counts.dedup();
    counts.join(", ")
}

fn started(results: &Results, value: impl Fn(&Start) -> String) -> String {
    let starts = results.runs.iter().filter_map(|run| run.start.as_ref());
    let mut values: Vec<String> = starts.map(value).collect();
    values.sort();
    values.dedup();
    values.join(", ")
}

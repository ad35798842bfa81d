//! The comparison of what the analysis found with the truth, per thread and in total.

use serde_json::Value;

use crate::measured::{check_sums, per_thread};
use crate::model::Unseen;
use crate::truth::Truth;

/// Allowed deviation from the truth, as a share of it.
pub const TOLERANCE: f64 = 0.02;
/// Allowed in any case, in seconds per thread and pattern. A program's stamp and the recorder's
/// event are less than a microsecond apart, unless the system takes the core away between them, for
/// which a thread that hardly waits should not be blamed; of a thread that waits for some 10 ms in
/// each of four rounds it is half a percent.
pub const FLOOR: f64 = 0.2e-3;
/// Waiting found above the truth, of patterns that a program injects nothing of, may not exceed
/// this share of the time of all threads.
pub const FALSE_POSITIVES: f64 = 0.005;
/// Share of the truth by which a machine that takes the cores away does not explain that the waiting
/// of a whole program was found wrong.
const UNEXPLAINED: f64 = 0.25;
/// A program whose threads lost less than this share of what was planned did not do what it was
/// written for.
const DONE: f64 = 0.5;

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Row {
    /// Metric id, or that and a call path.
    pub what: String,
    /// Seconds; `None` for a part of a pattern's waiting.
    pub planned: Option<f64>,
    pub truth: f64,
    pub found: f64,
    /// The largest error of a thread, as a share of its truth; of threads that lost more than
    /// [`FLOOR`] ten times over.
    pub worst_thread: f64,
}

impl Row {
    /// As a share of the truth.
    pub fn error(&self) -> f64 {
        self.found / self.truth - 1.0
    }

    /// Whether so much is wrong that it is not the machine's doing.
    fn is_unexplained(&self) -> bool {
        let is_planned = self.planned != Some(0.0);
        is_planned && self.truth > 10.0 * FLOOR && self.error().abs() > UNEXPLAINED
    }
}

/// Figures of one run.
#[derive(Debug, Default)]
pub struct Outcome {
    pub rows: Vec<Row>,
    /// Seconds found above the truth, of patterns of which nothing is injected.
    pub false_positives: f64,
    /// Of all threads, in seconds.
    pub time: f64,
    /// Deviations from the expected result, in words.
    pub deviations: Vec<String>,
}

impl Outcome {
    /// Compares a report with the truth. `keep` is a pattern that gets a row though nothing of it
    /// is injected; waiting in what is `unseen` is no part of the truth.
    pub fn new(report: &Value, truth: &Truth, keep: &str, unseen: Unseen) -> Outcome {
        check_sums(report);
        let mut outcome = Outcome {
            time: of(report, "time").iter().sum(),
            ..Outcome::default()
        };
        for loss in &truth.losses {
            let mut found = of(report, &loss.pattern);
            leave_out(&mut found, report, unseen, &loss.pattern);
            let planned = Some(loss.planned);
            let row = outcome.compare(&loss.pattern, planned, &loss.truth, &found);
            if loss.planned > 0.0 {
                if row.truth < DONE * loss.planned {
                    outcome.deviations.push(format!(
                        "{}: the program lost {:.6} s, {:.6} s were planned",
                        loss.pattern, row.truth, loss.planned
                    ));
                }
                outcome.rows.push(row);
            } else {
                let threads = found.iter().zip(&loss.truth);
                outcome.false_positives += threads.map(|(f, t)| (f - t).max(0.0)).sum::<f64>();
                if loss.pattern == keep {
                    outcome.rows.push(row);
                }
            }
        }
        for ((path, pattern), seconds) in &truth.call_paths {
            let found = at_call_path(report, path, pattern, seconds.len());
            let row = outcome.compare(&format!("{pattern} at {path}"), None, seconds, &found);
            if row.truth > 0.0 {
                outcome.rows.push(row);
            }
        }
        let share = outcome.false_positives / outcome.time;
        if share > FALSE_POSITIVES {
            outcome.deviations.push(format!(
                "false positives of {:.6} s, {:.2} % of the time",
                outcome.false_positives,
                100.0 * share
            ));
        }
        outcome
    }

    /// Whether a disturbed machine may be why it deviates.
    pub fn may_be_disturbed(&self) -> bool {
        !self.rows.iter().any(Row::is_unexplained)
    }

    fn compare(&mut self, what: &str, planned: Option<f64>, truth: &[f64], found: &[f64]) -> Row {
        let agrees = |t: f64, f: f64| (f - t).abs() <= (TOLERANCE * t).max(FLOOR);
        let row = Row {
            what: what.into(),
            planned,
            truth: truth.iter().sum(),
            found: found.iter().sum(),
            worst_thread: truth
                .iter()
                .zip(found)
                .filter(|(t, _)| **t > 10.0 * FLOOR)
                .map(|(t, f)| (f / t - 1.0).abs())
                .fold(0.0, f64::max),
        };
        let threads = truth.iter().zip(found).enumerate();
        let threads = threads.map(|(thread, (t, f))| (format!("thread {thread}"), *t, *f));
        // In total, what each of the threads may deviate by in any case must not add up.
        let total = ("all threads".into(), row.truth, row.found);
        // Where nothing is injected, what threads lose is many times almost nothing, and once in a
        // while the time for which the system took the core away, which the program and the
        // recorder may see in different places: the share of false positives is the measure
        // then.
        if planned.is_some_and(|planned| planned == 0.0) {
            return row;
        }
        for (who, t, f) in threads.chain([total]) {
            if !agrees(t, f) {
                self.deviations
                    .push(format!("{what}, {who}: truth {t:.6} s, found {f:.6} s"));
            }
        }
        row
    }
}

fn of(report: &Value, metric: &str) -> Vec<f64> {
    per_thread(report, metric).unwrap_or_else(|| panic!("no metric '{metric}' in the report"))
}

/// Takes away what the report has of a metric in regions that are unseen.
fn leave_out(seconds: &mut [f64], report: &Value, unseen: Unseen, metric: &str) {
    let nodes = report["call_paths"].as_array().expect("call paths");
    let is = |node: &Value, name: Option<&str>| name.is_some_and(|name| node["region"] == name);
    let (added, to) = unseen.follows.unzip();
    let follows = |node: &Value| {
        let is_beside = |other: &Value| other["line"] == node["line"] && is(other, to);
        is(node, added) && nodes.iter().any(is_beside)
    };
    for node in nodes {
        if is(node, unseen.end) || follows(node) {
            add(seconds, node, metric, -1.0);
        }
    }
}

/// Adds what a call path has of a metric, `factor` times.
fn add(seconds: &mut [f64], node: &Value, metric: &str, factor: f64) {
    let row = node["metrics"].get(metric).and_then(Value::as_array);
    for (sum, value) in seconds.iter_mut().zip(row.into_iter().flatten()) {
        *sum += factor * value.as_f64().expect("seconds");
    }
}

/// Seconds per thread of a metric in all operations that were called directly from the last
/// function of a call path like `main/outer/inner`.
fn at_call_path(report: &Value, path: &str, metric: &str, threads: usize) -> Vec<f64> {
    let nodes = report["call_paths"].as_array().expect("call paths");
    let region = |id: usize| nodes[id]["region"].as_str().expect("a region");
    let parent = |id: usize| nodes[id]["parent"].as_u64().map(|p| p as usize);
    // The names above a node, without the root, which stands for the program.
    let functions = |id: usize| {
        let mut names = Vec::new();
        let mut next = parent(id);
        while let Some(id) = next {
            names.push(region(id));
            next = parent(id);
        }
        names.pop();
        names.reverse();
        names.join("/")
    };
    let mut seconds = vec![0.0; threads];
    for (id, node) in nodes.iter().enumerate() {
        if functions(id) == path {
            add(&mut seconds, node, metric, 1.0);
        }
    }
    seconds
}

/// A pattern that is not found at all is no disturbance.
#[test]
fn no_machine_explains_that_nothing_is_found() {
    let explained = |truth: f64, found: f64| {
        let mut outcome = Outcome::default();
        let row = outcome.compare("x", Some(0.1), &[truth], &[found]);
        outcome.rows.push(row);
        outcome.may_be_disturbed()
    };
    assert!(explained(0.1, 0.1));
    assert!(explained(0.1, 0.09));
    assert!(!explained(0.1, 0.0));
    assert!(!explained(0.1, 0.2));
}

/// The comparison itself: deviations of a thread, of the total, and none.
#[test]
fn deviations_are_noticed() {
    let deviations = |truth: &[f64], found: &[f64]| {
        let mut outcome = Outcome::default();
        outcome.compare("x", None, truth, found);
        outcome.deviations.len()
    };
    assert_eq!(deviations(&[1.0, 0.0], &[1.015, 0.0001]), 0);
    assert_eq!(deviations(&[1.0, 1.0], &[1.03, 0.99]), 1);
    assert_eq!(deviations(&[1.0, 0.0], &[0.97, 0.0]), 2);
    assert_eq!(deviations(&[0.0, 0.0], &[0.00015, 0.00015]), 1);
    assert_eq!(deviations(&[0.0, 0.0], &[0.0, 0.0]), 0);
    assert!(deviations(&[f64::NAN, 0.0], &[0.0, 0.0]) > 0);
}

//! Wait states against the truth: programs that sleep for known times before barriers, locks and allocations take time
//! stamps around the operations themselves and print how long each thread really waited. What the analysis finds must
//! agree, in total and per thread.
//!
//! These are no tests of speed. A machine that is busy with other things may still deschedule a thread between the
//! program's stamp and the recorder's, so a comparison that fails is repeated with a new run, up to three times.

mod measured;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use measured::{check_sums, measure_with, per_thread, pgastool, succeed, Measured};
use serde_json::Value;

const THREADS: u32 = 4;

/// Allowed deviation from the truth, as a share of it.
const TOLERANCE: f64 = 0.03;
/// Allowed in any case, in seconds per thread: the barriers in which a program gathers its stamps and ends are not
/// stamped themselves, and take a fraction of this.
const FLOOR: f64 = 1e-3;
/// Wait states that a program does not have may not exceed this share of the time of all threads.
const ABSENT: f64 = 0.01;
const ATTEMPTS: usize = 3;

const WAIT_STATES: [&str; 14] = [
    "wait_at_barrier",
    "split_phase_wait",
    "barrier_completion",
    "lock_contention",
    "wait_at_alloc",
    "late_broadcast",
    "early_gather_receiver",
    "early_gather_sender",
    "early_prefix_reduce",
    "wait_at_nxn",
    "nxn_completion",
    "collective_sync_in",
    "collective_sync_out",
    "wait_inside_collective",
];

/// Measured programs would disturb each other's sleep; one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn waits(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/waits")
        .join(name)
}

/// Seconds per thread, by metric or by (call path, metric).
#[derive(Default)]
struct Truth {
    metrics: BTreeMap<String, Vec<f64>>,
    call_paths: BTreeMap<(String, String), Vec<f64>>,
}

/// Reads the lines `TRUTH metric thread seconds` and `TRUTH_AT path metric thread seconds`.
fn truth(printed: &str) -> Truth {
    fn set(values: &mut Vec<f64>, thread: &str, seconds: &str) {
        values.resize(THREADS as usize, f64::NAN);
        let thread: usize = thread.parse().expect("a thread");
        values[thread] = seconds.parse().expect("seconds");
    }
    let mut truth = Truth::default();
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["TRUTH", metric, thread, seconds] => set(
                truth.metrics.entry(metric.into()).or_default(),
                thread,
                seconds,
            ),
            ["TRUTH_AT", path, metric, thread, seconds] => set(
                truth
                    .call_paths
                    .entry((path.into(), metric.into()))
                    .or_default(),
                thread,
                seconds,
            ),
            _ => {}
        }
    }
    assert!(
        !truth.metrics.is_empty(),
        "the program printed no truth:\n{printed}"
    );
    truth
}

/// Compares per thread and in total. The table for the reader grows by one row; what deviates goes to `deviations`.
fn compare(
    what: &str,
    truth: &[f64],
    found: &[f64],
    table: &mut String,
    deviations: &mut Vec<String>,
) {
    let allowed = |truth: f64, floor: f64| (TOLERANCE * truth).max(floor);
    let total_truth: f64 = truth.iter().sum();
    let total_found: f64 = found.iter().sum();
    let error = |truth: f64, found: f64| {
        if truth > FLOOR {
            format!("{:+6.2} %", 100.0 * (found / truth - 1.0))
        } else {
            format!("{:+6.2} ms", 1e3 * (found - truth))
        }
    };
    for thread in 0..truth.len() {
        table.push_str(&format!(
            "{what:<48} {thread:>6} {:>10.6} {:>10.6} {}\n",
            truth[thread],
            found[thread],
            error(truth[thread], found[thread])
        ));
        let within = (found[thread] - truth[thread]).abs() <= allowed(truth[thread], FLOOR);
        if !within {
            deviations.push(format!(
                "{what}, thread {thread}: truth {:.6} s, found {:.6} s",
                truth[thread], found[thread]
            ));
        }
    }
    table.push_str(&format!(
        "{what:<48} {:>6} {total_truth:>10.6} {total_found:>10.6} {}\n",
        "all",
        error(total_truth, total_found)
    ));
    let within =
        (total_found - total_truth).abs() <= allowed(total_truth, FLOOR * truth.len() as f64);
    if !within {
        deviations.push(format!(
            "{what}, all threads: truth {total_truth:.6} s, found {total_found:.6} s"
        ));
    }
}

/// All comparisons of one run; returns what deviates.
fn check(run: &Measured, table: &mut String) -> Vec<String> {
    let report = &run.report;
    check_sums(report);
    let truth = truth(&run.printed);
    let mut deviations = Vec::new();
    for (metric, seconds) in &truth.metrics {
        let found = per_thread(report, metric)
            .unwrap_or_else(|| panic!("no metric '{metric}' in the report"));
        compare(metric, seconds, &found, table, &mut deviations);
    }
    for ((path, metric), seconds) in &truth.call_paths {
        let found = at_call_path(report, path, metric);
        compare(
            &format!("{metric} at {path}"),
            seconds,
            &found,
            table,
            &mut deviations,
        );
    }
    for metric in WAIT_STATES {
        if !truth.metrics.contains_key(metric) {
            let share = share_of_time(report, metric);
            table.push_str(&format!("{metric:<48} {:.3} % of time\n", 100.0 * share));
            if share > ABSENT {
                deviations.push(format!(
                    "{metric}: {:.2} % of time, should not be there",
                    100.0 * share
                ));
            }
        }
    }
    deviations
}

/// Seconds per thread of a metric in all operations that were called directly from the last function of a call path like
/// `main/outer/inner`.
fn at_call_path(report: &Value, path: &str, metric: &str) -> Vec<f64> {
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
    let mut seconds = vec![0.0; THREADS as usize];
    for (id, node) in nodes.iter().enumerate() {
        if let Some(row) = node["metrics"].get(metric).and_then(Value::as_array) {
            if functions(id) == path {
                for (sum, value) in seconds.iter_mut().zip(row) {
                    *sum += value.as_f64().expect("seconds");
                }
            }
        }
    }
    seconds
}

fn share_of_time(report: &Value, metric: &str) -> f64 {
    let sum = |metric: &str| per_thread(report, metric).map(|v| v.iter().sum::<f64>());
    let time = sum("time").expect("the metric 'time'");
    sum(metric).unwrap_or_else(|| panic!("no metric '{metric}' in the report")) / time
}

/// Runs a program until one run agrees with its truth, at most `ATTEMPTS` times. `also` adds the program's own checks.
fn agree(name: &str, also: impl Fn(&Measured) -> Vec<String>) {
    agree_with(&[], name, also);
}

/// The same with variables in the environment of all that is done.
fn agree_with(environment: &[(&str, &str)], name: &str, also: impl Fn(&Measured) -> Vec<String>) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join(name);
    succeed(
        pgastool(dir.path())
            .envs(environment.iter().copied())
            .args(["compile", "-O2", "-o"])
            .arg(&program)
            .arg(waits(&format!("{name}.upc"))),
    );
    let mut log = String::new();
    for attempt in 1..=ATTEMPTS {
        let run = measure_with(
            environment,
            dir.path(),
            &program,
            &[],
            THREADS,
            &format!("experiment_{attempt}"),
        );
        let mut table = format!(
            "{:<48} {:>6} {:>10} {:>10} error\n",
            name, "thread", "truth (s)", "found (s)"
        );
        let mut deviations = check(&run, &mut table);
        deviations.extend(also(&run));
        println!("{table}");
        if deviations.is_empty() {
            return;
        }
        log.push_str(&format!(
            "run {attempt}:\n  {}\n{table}\n",
            deviations.join("\n  ")
        ));
    }
    panic!("{name} deviates from its truth in {ATTEMPTS} runs:\n{log}");
}

/// The comparison itself: deviations of a thread, of the total, and none.
#[test]
fn comparison_notices_deviations() {
    let deviations = |truth: &[f64], found: &[f64]| {
        let mut deviations = Vec::new();
        compare("x", truth, found, &mut String::new(), &mut deviations);
        deviations.len()
    };
    assert_eq!(deviations(&[1.0, 0.0], &[1.02, 0.0005]), 0);
    assert_eq!(deviations(&[1.0, 1.0], &[1.04, 0.99]), 1);
    assert_eq!(deviations(&[1.0, 0.0], &[0.96, 0.0]), 2);
    assert_eq!(deviations(&[0.0, 0.0], &[0.0, 0.0012]), 1);
    assert!(deviations(&[f64::NAN, 0.0], &[0.0, 0.0]) > 0);
}

fn nothing_else(_: &Measured) -> Vec<String> {
    Vec::new()
}

/// The finding about the barrier after which one thread is always late names its line and that thread.
#[test]
fn barrier() {
    let source = std::fs::read_to_string(waits("barrier.upc")).expect("the program");
    let line = source
        .lines()
        .enumerate()
        .skip_while(|(_, text)| !text.contains("void fixed"))
        .find(|(_, text)| text.trim() == "BARRIER;")
        .map(|(index, _)| index + 1)
        .expect("the barrier of fixed()");
    agree("barrier", |run| {
        let findings = run.report["findings"].as_array().expect("findings");
        let found = findings.iter().any(|f| {
            f["metric"] == "wait_at_barrier"
                && f["region"] == "upc_barrier"
                && f["function"] == "fixed"
                && f["line"] == line
                && f["culprit_thread"] == THREADS - 1
                && f["file"]
                    .as_str()
                    .is_some_and(|f| f.ends_with("barrier.upc"))
        });
        if found {
            Vec::new()
        } else {
            vec![format!(
                "no finding about line {line} of barrier.upc that blames the last thread: {findings:#?}"
            )]
        }
    });
}

/// The threads' clocks differ by minutes and run at other rates, as those of several nodes. They are compared when the
/// program begins and ends, and the waiting is what it is with one clock.
const SEVERAL_NODES: [(&str, &str); 1] = [(
    "PGAS_TEST_CLOCKS",
    "1:500000000000:60:north,2:-40000000000:-80:south,3:-40000000000:-80:south",
)];

/// Almost all of the waiting of these programs is longer than clocks of one machine can be wrong.
fn is_known(run: &Measured) -> Vec<String> {
    let clocks = &run.report["clocks"];
    let seconds = |field: &str| clocks[field].as_f64().expect("seconds");
    let below = seconds("below_uncertainty_seconds");
    let mut deviations = Vec::new();
    if below > 0.01 * seconds("waiting_seconds") {
        deviations.push(format!("the clocks are too uncertain: {clocks}"));
    }
    if clocks["violations"]["unexplained"] != 0 || clocks["held_events"] != 0 {
        deviations.push(format!("the clocks are not corrected well: {clocks}"));
    }
    deviations
}

#[test]
fn barrier_on_several_nodes() {
    agree_with(&SEVERAL_NODES, "barrier", is_known);
}

#[test]
fn lock_on_several_nodes() {
    agree_with(&SEVERAL_NODES, "lock", is_known);
}

#[test]
fn collectives_on_several_nodes() {
    agree_with(&SEVERAL_NODES, "collectives", is_known);
}

#[test]
fn split_phase() {
    agree("split_phase", nothing_else);
}

#[test]
fn lock() {
    agree("lock", nothing_else);
}

#[test]
fn allocation() {
    agree("allocation", nothing_else);
}

#[test]
fn nested() {
    agree("nested", nothing_else);
}

#[test]
fn collectives() {
    agree("collectives", nothing_else);
}

/// The control: no wait state of any kind above one percent of the run.
#[test]
fn balanced() {
    agree("balanced", |run| {
        WAIT_STATES
            .iter()
            .map(|metric| (metric, share_of_time(&run.report, metric)))
            .filter(|(_, share)| *share > 0.01)
            .map(|(metric, share)| format!("{metric} is {:.2} % of a balanced run", 100.0 * share))
            .collect()
    });
}

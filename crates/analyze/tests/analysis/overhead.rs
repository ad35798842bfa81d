//! Cost of recording, from known numbers: by the counts of each kind of call, and against a plain
//! build.

use crate::common::{FILE, path_name};
use pgas_analyze::{Analysis, analyze};
use pgas_cost::{CALLS_MODEL, FIXED_MODEL};
use pgas_result::Inflation;
use pgas_result::recording::RecordingCost;
use pgas_trace::builder::Sums;
use pgas_trace::metadata::Baseline;
use pgas_trace::model::{Attributes, Operation, ProfileScope, Site};
use pgas_trace::{Experiment, ExperimentBuilder};

const SECOND: u64 = 1_000_000_000;

/// Two threads that compute for 10 seconds, 9 of them on a core: 2 recorded functions and 1
/// operation, 10 million throttled calls of `add` of which 4 million are not those that main called
/// last, filtered and own accesses.
fn experiment() -> ExperimentBuilder {
    experiment_with(1)
}

/// Calls cost the second thread `slower` times as much when it measured them.
fn experiment_with(slower: u64) -> ExperimentBuilder {
    let mut builder = ExperimentBuilder::new("prog", 2);
    for number in 0..2 {
        let function = |name: &str, line| Site::function(name, FILE, line);
        let get = Attributes::Transfer {
            partner: 1 - number,
            bytes: 8,
            address: None,
        };
        let thread = builder.thread(number);
        thread
            .enter(0, &function("main", 1), Attributes::None)
            .enter(SECOND, &function("f", 2), Attributes::None)
            .exit(2 * SECOND, Attributes::None)
            .enter(3 * SECOND, &Site::operation(Operation::Get, FILE, 7), get)
            .exit(3 * SECOND + 1000, Attributes::None)
            .exit(10 * SECOND, Attributes::None);
        for (key, value) in [
            ("event_cost", 1),
            ("function_cost", 30_000),
            ("operation_cost", 50_000),
            ("throttled_function_cost", 20_000),
            ("throttled_operation_cost", 40_000),
            ("changing_function_cost", 25_000),
            ("changing_operation_cost", 45_000),
            ("changing_functions", 4_300_000),
            ("filtered_function_cost", 10_000),
            ("filtered_operation_cost", 15_000),
            ("filtered_functions", 1_000_000),
            ("filtered_operations", 2_000_000),
            ("own_access_cost", 3_000),
            ("own_accesses", 100_000_000),
            ("plain_access_cost", 1_000),
            ("cpu_time", 9 * SECOND),
            ("set_up_cpu_time", 4_000_000),
            ("finish_cpu_time", 1_000_000),
            ("helper_cpu_time", 6_000_000),
        ] {
            let is_call = key.ends_with("_cost") && key != "plain_access_cost";
            let factor = if number == 1 && is_call { slower } else { 1 };
            thread.property(key, &(factor * value).to_string());
        }
        let add = Sums {
            timed_calls: 300_000,
            ..Sums::new(Some(0), &function("add", 3), 10_000_000, SECOND / 10)
        };
        let sums = [Sums::new(None, &function("main", 1), 0, 0), add];
        thread.sums(ProfileScope::Within, (0, 10 * SECOND), &sums);
    }
    builder
}

fn analysis(builder: ExperimentBuilder) -> Analysis {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("experiment");
    builder.write(&path).unwrap();
    analyze(&Experiment::open(&path).unwrap(), &|_| {}).unwrap()
}

fn cost(builder: ExperimentBuilder) -> RecordingCost {
    analysis(builder).summary.recording.cost.expect("a cost")
}

/// Seconds of the calls of one thread, by hand.
const CALLS: f64 = 2.0 * 30e-9 // main and f
    + 50e-9 // the get
    + 0.3 * 30e-3 // throttled and timed
    + 4.0 * 25e-3 // throttled, another one than before
    + 5.7 * 20e-3 // the other throttled ones
    + 1.0 * 10e-3 + 2.0 * 15e-3 // filtered
    + 100.0 * 3e-3; // looked at

#[test]
fn each_kind_of_call_counts_with_its_own_cost() {
    let cost = cost(experiment());
    let expected = 2.0 * (CALLS + 0.011);
    assert!((cost.seconds - expected).abs() < 1e-9, "{cost:?}");
    // On a core, not from beginning to end.
    let cpu = 2.0 * (9.0 + 0.004 + 0.006);
    assert_eq!(cost.cpu_seconds, Some(cpu));
    assert!((cost.percent - 100.0 * expected / cpu).abs() < 1e-9);
    let (low, high) = cost.interval.expect("an interval");
    let bound = |calls: f64, fixed: f64| 100.0 * 2.0 * (calls * CALLS + fixed * 0.011) / cpu;
    assert!((low - bound(CALLS_MODEL.0, FIXED_MODEL.0)).abs() < 1e-9);
    assert!((high - bound(CALLS_MODEL.1, FIXED_MODEL.1)).abs() < 1e-9);
    assert!((cost.fixed_seconds - 0.022).abs() < 1e-12);
    assert_eq!(
        (cost.left_out_calls, cost.own_accesses, cost.baseline),
        (6_000_000, 200_000_000, None)
    );
}

#[test]
fn against_a_plain_build_it_is_the_difference_of_cpu_times() {
    let mut builder = experiment();
    builder.metadata_mut().cpu_seconds = Some(20.0);
    builder.metadata_mut().baseline = Some(Baseline {
        program: "./plain".into(),
        cpu_seconds: vec![0.7, 0.8, 0.75],
    });
    let cost = cost(builder);
    assert_eq!((cost.seconds, cost.percent), (19.25, 96.25));
    // Plain runs differ by a part of 0.1 / 0.75, and so may the run that was measured.
    let (low, high) = cost.interval.expect("an interval");
    let part = 0.1 / 0.75;
    assert!(
        (low - 100.0 * (1.0 - 0.8 / (20.0 * (1.0 - part)))).abs() < 1e-9,
        "{low}"
    );
    assert!(
        (high - 100.0 * (1.0 - 0.7 / (20.0 * (1.0 + part)))).abs() < 1e-9,
        "{high}"
    );
    let baseline = cost.baseline.expect("a baseline");
    assert_eq!((baseline.runs, baseline.cpu_seconds), (3, 0.75));
}

#[test]
fn a_share_of_nothing_known_is_of_the_time_of_all_threads() {
    let mut builder = ExperimentBuilder::new("prog", 1);
    let main = Site::function("main", FILE, 1);
    builder
        .thread(0)
        .enter(0, &main, Attributes::None)
        .exit(10 * SECOND, Attributes::None)
        .property("event_cost", "50000000");
    let cost = cost(builder);
    assert!((cost.percent - 100.0 * 100e-6 / 10.0).abs() < 1e-9);
    assert_eq!((cost.cpu_seconds, cost.interval), (None, None));
}

/// Threads of one host share the lowest costs: the other one measured while something else had its
/// core.
#[test]
fn a_thread_that_measured_slowly_makes_the_interval_wider_and_nothing_else() {
    let quiet = cost(experiment());
    let disturbed = cost(experiment_with(2));
    assert_eq!(disturbed.seconds, quiet.seconds);
    let ((low, high), (low_before, high_before)) =
        (disturbed.interval.unwrap(), quiet.interval.unwrap());
    assert_eq!(low, low_before);
    assert!(high > high_before + 1.0, "{high_before} {high}");
}

/// A tiny program: next to nothing is recorded, and starting the recorder is most of the run.
#[test]
fn the_interval_of_a_tiny_program_is_no_point() {
    let mut builder = ExperimentBuilder::new("tiny", 1);
    let main = Site::function("main", FILE, 1);
    let thread = builder.thread(0);
    thread.enter(0, &main, Attributes::None);
    thread.exit(1_000_000, Attributes::None);
    for (key, value) in [
        ("function_cost", "30000"),
        ("operation_cost", "50000"),
        ("cpu_time", "1000000"),
        ("set_up_cpu_time", "3000000"),
        ("finish_cpu_time", "2000000"),
        ("helper_cpu_time", "3000000"),
    ] {
        thread.property(key, value);
    }
    builder.metadata_mut().cpu_seconds = Some(0.010);
    let cost = cost(builder);
    assert!((cost.percent - 80.0).abs() < 0.01, "{cost:?}");
    let (low, high) = cost.interval.expect("an interval");
    assert!(
        (low - 76.0).abs() < 0.01 && (high - 96.0).abs() < 0.01,
        "{cost:?}"
    );
}

/// Where recording took most of the run, call paths say how much of their own time that was.
#[test]
fn calls_inflate_the_time_of_their_callers() {
    let mut builder = experiment();
    builder.metadata_mut().cpu_seconds = Some(18.0);
    builder.metadata_mut().baseline = Some(Baseline {
        program: "./plain".into(),
        cpu_seconds: vec![9.0],
    });
    let a = analysis(builder);
    let result = pgas_result::AnalysisResult {
        cube: a.cube.clone(),
        summary: a.summary.clone(),
    };
    let inflation = Inflation::of(&result).expect("half of the run");
    let share = |path: &str| {
        let paths = (0..result.cube.call_paths.len()).map(pgas_cube::model::CallPathId);
        let mut found = paths.filter(|&p| path_name(&a, p) == path);
        inflation.own(found.next().unwrap_or_else(|| panic!("no {path}")))
    };
    // Half of what the throttled calls of `add` cost lies in their time, which is estimated from a
    // sample, half in main's.
    let half = (9.0 - 2.0 * 0.011) * (0.3 * 0.03 + 0.1 + 5.7 * 0.02) / CALLS / 2.0;
    let of_add = half / (2.0 * 10.0 / 3.0);
    let of_main = half / (2.0 * (9.0 - 10.0 / 3.0));
    for (path, expected) in [("prog/main/add", of_add), ("prog/main", of_main)] {
        let share = share(path);
        assert!((share - expected).abs() < 1e-3, "{path}: {share}");
    }
    assert!(share("prog/main/f") < 1e-6);
    // With less than a fifth of the run, nothing is called inflated.
    assert_eq!(Inflation::of(&analysis_result(experiment())), None);
}

fn analysis_result(builder: ExperimentBuilder) -> pgas_result::AnalysisResult {
    let Analysis { cube, summary } = analysis(builder);
    pgas_result::AnalysisResult { cube, summary }
}

/// Two imbalances: of `f`, which is recorded call by call, and of `add`, which is throttled, so
/// that its time is known without that of recording it.
fn imbalanced(baseline: Option<f64>) -> Vec<String> {
    let mut builder = ExperimentBuilder::new("prog", 2);
    for (number, f, add) in [(0, 4, 1_000_000_000), (1, 1, 100_000_000)] {
        let function = |name: &str, line| Site::function(name, FILE, line);
        let thread = builder.thread(number);
        thread
            .enter(0, &function("main", 1), Attributes::None)
            .enter(SECOND, &function("f", 2), Attributes::None)
            .exit((1 + f) * SECOND, Attributes::None)
            .exit((6 + f) * SECOND, Attributes::None)
            .property("event_cost", "1")
            .property("function_cost", "30000")
            .property("throttled_function_cost", "20000");
        let add = Sums {
            timed_calls: 1_000_000,
            ..Sums::new(Some(0), &function("add", 3), 1_000_000, add)
        };
        let sums = [Sums::new(None, &function("main", 1), 0, 0), add];
        thread.sums(ProfileScope::Within, (0, (6 + f) * SECOND), &sums);
    }
    let metadata = builder.metadata_mut();
    metadata.cpu_seconds = Some(20.0);
    metadata.baseline = baseline.map(|seconds| Baseline {
        program: "./plain".into(),
        cpu_seconds: vec![seconds],
    });
    let findings = analysis(builder).summary.findings.into_iter();
    let of_functions = findings.filter(|finding| ["f", "add"].contains(&finding.region.as_str()));
    of_functions.map(|finding| finding.region).collect()
}

#[test]
fn findings_are_ranked_by_what_they_cost_the_plain_program() {
    assert_eq!(imbalanced(None), ["f", "add"]);
    assert_eq!(imbalanced(Some(19.0)), ["f", "add"]);
    // Nine tenths of what f took are recording.
    assert_eq!(imbalanced(Some(2.0)), ["add", "f"]);
}

//! Experiments on disk whose recorders wrote sums, costs and counters: what becomes of them in the
//! cube, the summary and the remarks.

use crate::common::{FILE, path_name, per_thread};
use pgas_analyze::{Analysis, analyze};
use pgas_cube::cube3::to_string;
use pgas_cube::model::CallPathId;
use pgas_result::recording::WaitStates;
use pgas_trace::builder::{Sums, ThreadBuilder};
use pgas_trace::model::{Attributes, Operation, ProfileScope, Site};
use pgas_trace::{Experiment, ExperimentBuilder};

const SECOND: u64 = 1_000_000_000;

fn function(name: &str, line: u32) -> Site {
    Site::function(name, FILE, line)
}

fn barrier() -> Site {
    Site::operation(Operation::Barrier, FILE, 7)
}

/// main for 10 seconds with a barrier from `arrival` to 9 seconds.
fn trace(thread: &mut ThreadBuilder, arrival: u64) {
    let none = Attributes::Barrier { value: None };
    thread
        .enter(0, &function("main", 1), Attributes::None)
        .enter(arrival * SECOND, &barrier(), none)
        .exit(9 * SECOND, Attributes::None)
        .exit(10 * SECOND, Attributes::None);
}

fn analysis(builder: ExperimentBuilder) -> Analysis {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("experiment");
    builder.write(&path).unwrap();
    let analysis = analyze(&Experiment::open(&path).unwrap(), &|_| {}).unwrap();
    crate::common::check_sums(&analysis);
    // The profile can be written and read, whatever its metrics are called.
    let written = to_string(&analysis.cube).unwrap();
    pgas_cube::cube3::check(written.as_bytes()).unwrap();
    analysis
}

fn at(analysis: &Analysis, metric: &str, path: &str) -> Vec<f64> {
    let cube = &analysis.cube;
    let id = cube.metric(metric).unwrap_or_else(|| panic!("no {metric}"));
    let found = (0..cube.call_paths.len())
        .map(CallPathId)
        .find(|&p| path_name(analysis, p) == path);
    let found = found.unwrap_or_else(|| panic!("no {path}"));
    cube.row(id, found)
        .map_or_else(|| vec![0.0; cube.threads.len()], <[f64]>::to_vec)
}

/// Calls of a throttled function that are unevenly long, 1 and 2 seconds a thread, where the clock
/// costs this much.
fn uneven_throttled_calls(clock_picoseconds: &str) -> Analysis {
    let mut builder = ExperimentBuilder::new("prog", 2);
    for number in 0..2 {
        let thread = builder.thread(number);
        trace(thread, 8);
        let ticks = SECOND / 50 * (1 + u64::from(number));
        let add = Sums {
            timed_calls: 1_000_000,
            ..Sums::new(Some(0), &function("add", 3), 50_000_000, ticks)
        };
        let sums = [Sums::new(None, &function("main", 1), 0, 0), add];
        thread
            .property("event_cost", "30000")
            .property("clock_cost", clock_picoseconds)
            .property("throttled_cost", "7000")
            .sums(ProfileScope::Within, (0, 10 * SECOND), &sums);
    }
    analysis(builder)
}

/// Of calls that are shorter than a reading of the clock, times are not known well enough to blame
/// a thread, neither for them nor for what is left to their caller.
#[test]
fn imbalance_below_what_a_sample_can_tell_is_no_finding() {
    let imbalances = |clock: &str| {
        let a = uneven_throttled_calls(clock);
        let findings = a.summary.findings.iter();
        findings.filter(|f| f.metric == "imbalance").count()
    };
    assert_eq!(imbalances("20000"), 0);
    assert_eq!(imbalances("2000"), 2);
}

#[test]
fn throttled_calls_cost_what_the_recorder_says() {
    let a = uneven_throttled_calls("20000");
    let cost = a.summary.recording.cost.unwrap();
    let expected = 2.0 * (4.0 * 30e-9 + 1e6 * 60e-9 + 49e6 * 7e-9);
    assert!((cost.seconds - expected).abs() < 1e-9, "{cost:?}");
}

#[test]
fn the_cost_of_recording_is_estimated_from_what_the_recorder_measured() {
    let mut builder = ExperimentBuilder::new("prog", 2);
    for thread in 0..2 {
        let thread = builder.thread(thread);
        trace(thread, 8);
        thread
            .property("event_cost", "40000")
            .property("clock_cost", "10000")
            .sums(
                ProfileScope::Within,
                (0, 10 * SECOND),
                &[
                    Sums::new(None, &function("main", 1), 0, 0),
                    Sums {
                        timed_calls: 1_000_000,
                        ..Sums::new(Some(0), &function("add", 3), 10_000_000, SECOND / 10)
                    },
                ],
            );
    }
    let a = analysis(builder);
    let recording = &a.summary.recording;
    assert_eq!(recording.wait_states, WaitStates::All);
    let cost = recording.cost.as_ref().unwrap();
    assert_eq!(
        (cost.events, cost.throttled_calls, cost.summed_calls),
        (8, 20_000_000, 0)
    );
    // Of a throttled call, two times 30 ns, and when it is timed, two readings of the clock.
    let expected = 2.0 * (4.0 * 40e-9 + 10e6 * 60e-9 + 1e6 * 20e-9);
    assert!((cost.seconds - expected).abs() < 1e-12, "{cost:?}");
    assert!((cost.percent - 100.0 * expected / 20.0).abs() < 1e-9);
    let [add] = &recording.throttled[..] else {
        panic!("{recording:?}");
    };
    assert_eq!(
        (add.region.as_str(), add.file.as_str(), add.line),
        ("add", FILE, 3)
    );
    assert_eq!((add.calls, add.timed_calls), (20_000_000, 2_000_000));
    assert_eq!((add.seconds, add.percent), (2.0, 10.0));
    assert_eq!(at(&a, "computation", "prog/main/add"), [1.0, 1.0]);
    assert_eq!(at(&a, "computation", "prog/main"), [8.0, 8.0]);
    assert_eq!(a.summary.remarks, Vec::<String>::new());
}

#[test]
fn a_cost_that_one_recorder_did_not_measure_is_not_estimated() {
    let mut builder = ExperimentBuilder::new("prog", 2);
    for number in 0..2 {
        let thread = builder.thread(number);
        trace(thread, 8);
        thread.property("event_cost", if number == 0 { "40000" } else { "many" });
    }
    assert_eq!(analysis(builder).summary.recording.cost, None);
}

/// cycles and instructions of main, f and the barrier, with what they call.
fn counted(scope: ProfileScope, thread: &mut ThreadBuilder, counts: [[u64; 2]; 3]) {
    let calls = u64::from(scope == ProfileScope::Beyond);
    let sums = |parent, site: &Site, ticks, counters: [u64; 2]| Sums {
        counters: counters.to_vec(),
        ..Sums::new(parent, site, calls, ticks * calls)
    };
    let [main, f, at_barrier] = counts;
    thread.sums_with_counters(
        scope,
        (0, 10 * SECOND),
        &["cycles", "task-clock"],
        &[
            sums(None, &function("main", 1), 10 * SECOND, main),
            sums(Some(0), &function("f", 3), 4 * SECOND, f),
            sums(Some(0), &barrier(), SECOND, at_barrier),
        ],
    );
}

#[test]
fn counters_are_metrics_without_what_is_called() {
    for scope in [ProfileScope::Counters, ProfileScope::Beyond] {
        let mut builder = ExperimentBuilder::new("prog", 2);
        for number in 0..2 {
            let thread = builder.thread(number);
            if scope == ProfileScope::Counters {
                trace(thread, 8);
            }
            // Blocks add up.
            counted(
                scope,
                thread,
                [[700, 6 * SECOND], [300, 2 * SECOND], [50, 0]],
            );
            counted(
                scope,
                thread,
                [[300, 3 * SECOND], [100, SECOND], [50, SECOND]],
            );
        }
        let a = analysis(builder);
        assert_eq!(a.summary.recording.counters, ["cycles", "task-clock"]);
        assert_eq!(at(&a, "cycles", "prog/main"), [500.0, 500.0], "{scope:?}");
        assert_eq!(at(&a, "cycles", "prog/main/f"), [400.0, 400.0]);
        assert_eq!(at(&a, "cycles", "prog/main/upc_barrier:7"), [100.0, 100.0]);
        assert_eq!(per_thread(&a, "task-clock"), [9.0, 9.0]);
        let visits = match scope {
            ProfileScope::Beyond => [2.0, 2.0],
            _ => [1.0, 1.0],
        };
        assert_eq!(at(&a, "visits", "prog/main"), visits);
    }
}

#[test]
fn counts_of_throttled_calls_are_taken_from_their_callers() {
    let mut builder = ExperimentBuilder::new("prog", 1);
    let thread = builder.thread(0);
    trace(thread, 8);
    counted(
        ProfileScope::Counters,
        thread,
        [[1000, 0], [0, 0], [100, 0]],
    );
    thread.sums_with_counters(
        ProfileScope::Within,
        (0, 10 * SECOND),
        &["page-faults", "cycles"],
        &[
            Sums {
                counters: vec![0, 0],
                ..Sums::new(None, &function("main", 1), 0, 0)
            },
            Sums {
                counters: vec![0, 30],
                timed_calls: 10,
                ..Sums::new(Some(0), &function("add", 3), 100, SECOND / 10)
            },
        ],
    );
    let a = analysis(builder);
    assert_eq!(at(&a, "cycles", "prog/main"), [600.0]);
    assert_eq!(at(&a, "cycles", "prog/main/add"), [300.0]);
    assert_eq!(per_thread(&a, "cycles"), [1000.0]);
    assert_eq!(per_thread(&a, "page-faults"), [0.0]);
}

#[test]
fn counters_that_were_refused_are_told_once() {
    let mut builder = ExperimentBuilder::new("prog", 3);
    for number in 0..3 {
        let thread = builder.thread(number);
        trace(thread, 8);
        thread.property("counters_refused", "cycles: not on this machine");
    }
    assert_eq!(
        analysis(builder).summary.remarks,
        ["counters were asked for and not recorded: cycles: not on this machine"]
    );
}

#[test]
fn a_run_without_trace_is_analysed() {
    let mut builder = ExperimentBuilder::new("prog", 2);
    for number in 0..2 {
        let work = 3 + u64::from(number);
        let thread = builder.thread(number);
        thread
            .property("mode", "profile")
            .property("event_cost", "50000")
            .sums(
                ProfileScope::Beyond,
                (0, 6 * SECOND),
                &[
                    // Entered here, and left later.
                    Sums::new(None, &function("main", 1), 1, 6 * SECOND),
                    Sums::new(Some(0), &function("f", 3), 5, work * SECOND),
                ],
            )
            .sums(
                ProfileScope::Beyond,
                (6 * SECOND, 10 * SECOND),
                &[
                    Sums::new(None, &function("main", 1), 0, 4 * SECOND),
                    Sums::new(Some(0), &barrier(), 2, SECOND),
                ],
            );
    }
    let a = analysis(builder);
    assert_eq!(per_thread(&a, "time"), [10.0, 10.0]);
    assert_eq!(at(&a, "computation", "prog/main"), [6.0, 5.0]);
    assert_eq!(at(&a, "computation", "prog/main/f"), [3.0, 4.0]);
    assert_eq!(at(&a, "imbalance", "prog/main/f"), [0.0, 0.5]);
    assert_eq!(per_thread(&a, "barrier"), [1.0, 1.0]);
    assert_eq!(at(&a, "visits", "prog/main"), [1.0, 1.0]);
    assert_eq!(a.cube.metric("wait_at_barrier"), None);
    assert_eq!(a.summary.wall_seconds, 10.0);
    assert_eq!(a.summary.efficiency.load_balance, 1.0);
    let recording = &a.summary.recording;
    assert_eq!(recording.wait_states, WaitStates::None);
    let cost = recording.cost.as_ref().unwrap();
    assert_eq!((cost.events, cost.summed_calls), (0, 16));
    assert!((cost.seconds - 32.0 * 50e-9).abs() < 1e-15);
}

#[test]
fn a_trace_that_reached_its_limit_goes_on_in_sums() {
    let mut builder = ExperimentBuilder::new("prog", 2);
    let none = Attributes::Barrier { value: None };
    for number in 0..2 {
        let thread = builder.thread(number);
        thread
            .enter(0, &function("main", 1), Attributes::None)
            .enter((2 + u64::from(number)) * SECOND, &barrier(), none)
            .exit(4 * SECOND, Attributes::None)
            .reach_limit()
            .sums(
                ProfileScope::Beyond,
                (4 * SECOND, 10 * SECOND),
                &[
                    Sums::new(None, &function("main", 1), 0, 6 * SECOND),
                    Sums::new(Some(0), &barrier(), 3, 2 * SECOND),
                ],
            );
    }
    let a = analysis(builder);
    assert_eq!(per_thread(&a, "time"), [10.0, 10.0]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [1.0, 0.0]);
    assert_eq!(per_thread(&a, "barrier"), [4.0, 3.0]);
    assert_eq!(at(&a, "visits", "prog/main/upc_barrier:7"), [4.0, 4.0]);
    let recording = &a.summary.recording;
    assert_eq!(recording.wait_states, WaitStates::UntilTraceEnds);
    assert_eq!(recording.trace_ends_seconds, Some(4.0));
    let [remark] = &a.summary.remarks[..] else {
        panic!("{:?}", a.summary.remarks);
    };
    assert!(
        remark.starts_with("the trace ends at 4.00 s of 10.0 s"),
        "{remark}"
    );
}

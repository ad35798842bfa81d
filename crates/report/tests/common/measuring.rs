//! Conditions of recording: on several nodes, throttled, without a trace.

use pgas_result::AnalysisResult;
use pgas_result::clocks::{ClockSummary, ClockViolations, NodeClock};
use pgas_result::recording::{PathCost, RecordingCost, Throttled, WaitStates};

use super::run::Run;
use super::shapes::{balanced, many};

/// A run on two nodes whose clocks are known to some microseconds.
pub fn several_nodes() -> AnalysisResult {
    let mut result = balanced(4);
    result.cube.nodes.push("node-2".into());
    for thread in &mut result.cube.threads[2..] {
        thread.node = 1;
    }
    let node = |host: &str, uncertainty, drift, exchanges| NodeClock {
        host: host.into(),
        threads: 2,
        uncertainty_seconds: uncertainty,
        drift_ppm: drift,
        exchanges,
    };
    result.summary.clocks = Some(ClockSummary {
        method: "linear".into(),
        nodes: vec![
            node("node-1", Some(0.0), None, 0),
            node("node-2", Some(1.4e-6), Some(-3.25), 612),
        ],
        waiting_seconds: 0.5,
        below_uncertainty_seconds: 0.01,
        held_events: 0,
        violations: ClockViolations {
            barriers: 3,
            collectives: 0,
            locks: 1,
            unexplained: 0,
            largest_seconds: 9e-7,
        },
    });
    result
}

pub fn throttled(region: &str, file: &str, calls: u64, seconds: f64) -> Throttled {
    Throttled {
        region: region.into(),
        file: file.into(),
        line: 7,
        calls,
        timed_calls: calls / 32,
        seconds,
        percent: seconds / 30.0 * 100.0,
        since_seconds: None,
    }
}

/// A run with tiny functions, of which so many calls are left that they cost, and counters.
pub fn tiny_functions() -> AnalysisResult {
    let mut run = Run::new(4);
    let root = run.call_path(None, "is", "", 0);
    let main = run.call_path(Some(root), "main", "is.c", 612);
    let key = run.call_path(Some(main), "randlc", "is.c", 101);
    let add = run.call_path(Some(main), "add", "is.c", 7);
    let barrier = run.call_path(Some(main), "upc_barrier", "is.c", 640);
    run.add("computation", main, &[2.5; 4]);
    run.add("computation", key, &[2.9, 3.0, 3.1, 3.3]);
    run.add("computation", add, &[0.9, 1.0, 1.1, 1.2]);
    run.add("wait_at_barrier", barrier, &[0.7, 0.5, 0.3, 0.0]);
    run.add("visits", key, &[12e6; 4]);
    run.counter(
        "cycles",
        &[
            (main, &[6.1e9, 6.0e9, 6.2e9, 6.1e9]),
            (key, &[7.0e9, 7.1e9, 7.3e9, 7.9e9]),
            (barrier, &[1.5e9, 1.1e9, 0.6e9, 0.0]),
        ],
    );
    run.counter(
        "instructions",
        &[
            (main, &[4.1e9, 4.0e9, 4.2e9, 4.1e9]),
            (key, &[15.0e9, 15.1e9, 15.3e9, 15.9e9]),
            (barrier, &[0.2e9, 0.1e9, 0.1e9, 0.0]),
        ],
    );
    run.counter("task-clock", &[(main, &[7.0, 7.0, 7.0, 7.0])]);
    run.recording.throttled = vec![
        throttled("randlc", "is.c", 47_600_000, 12.1),
        throttled(
            "add",
            "src/very/deeply/nested/directory/of/a/library/is.c",
            8_412_345,
            4.2,
        ),
    ];
    run.recording.cost = Some(RecordingCost {
        left_out_calls: 0,
        own_accesses: 0,
        fixed_seconds: 0.0,
        interval: None,
        cpu_seconds: None,
        baseline: None,
        call_paths: Vec::new(),
        events: 1_604_412,
        summed_calls: 0,
        throttled_calls: 56_012_345,
        counted_accesses: 0,
        seconds: 1.23,
        percent: 4.1,
    });
    run.result("is", &["-c", "B"], 7.6)
}

/// A run that was recorded without trace.
pub fn without_trace() -> AnalysisResult {
    let mut run = Run::new(2);
    run.recording.wait_states = WaitStates::None;
    let root = run.call_path(None, "cg", "", 0);
    let main = run.call_path(Some(root), "main", "cg.c", 88);
    let barrier = run.call_path(Some(main), "upc_barrier", "cg.c", 131);
    run.add("computation", main, &[7.5, 7.6]);
    run.add("barrier", barrier, &[0.4, 0.3]);
    run.add("visits", barrier, &[200.0, 200.0]);
    run.recording.cost = Some(RecordingCost {
        left_out_calls: 0,
        own_accesses: 0,
        fixed_seconds: 0.0,
        interval: None,
        cpu_seconds: None,
        baseline: None,
        call_paths: Vec::new(),
        events: 0,
        summed_calls: 812,
        throttled_calls: 0,
        counted_accesses: 0,
        seconds: 0.00005,
        percent: 0.0003,
    });
    run.remarks = vec![
        "recorded with --profile, as sums by call path: run without it for wait states".into(),
    ];
    run.result("./cg", &[], 7.9)
}

/// The integer sort, of whose CPU time recording took 40 %: three quarters of the time in
/// upc_memget, and nothing elsewhere.
pub fn inflated() -> AnalysisResult {
    let mut result = super::integer_sort();
    let seconds = 0.75 * 0.505;
    result.summary.recording.cost = Some(RecordingCost {
        events: 1000,
        summed_calls: 0,
        throttled_calls: 0,
        counted_accesses: 0,
        left_out_calls: 0,
        own_accesses: 0,
        seconds,
        fixed_seconds: 0.0,
        percent: 40.0,
        interval: Some((25.0, 55.0)),
        cpu_seconds: Some(seconds / 0.4),
        baseline: None,
        call_paths: vec![PathCost {
            call_path: 5,
            seconds,
        }],
    });
    result
}

//! Runs on several nodes whose clocks differ by known amounts, and were compared with known errors:
//! what is found must be what one clock would have shown, to within the uncertainty, and what is
//! below it must be said to be.

use crate::common::simulator::Simulation;
use crate::common::{FILE, WAIT_STATES, lock, total};
use pgas_analyze::{Analysis, analyze};
use pgas_earl::StreamBuilder;
use pgas_result::clocks::ClockSummary;
use pgas_trace::model::{ClockComparison, EventKind, Operation};
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;

/// Nanoseconds of true time at which a program's tick 0 is.
const BEGIN: u64 = 5_000_000;

/// The clock of a node, and the error with which it was compared with that of node 0: at the begin
/// and the end of a run, in nanoseconds, at most half of the round trip.
#[derive(Debug, Clone, Copy)]
struct Node {
    offset: u64,
    ppm: f64,
    round_trip: u64,
    errors: [i64; 2],
}

/// Node 0: the truth.
const REFERENCE: Node = Node {
    offset: 0,
    ppm: 0.0,
    round_trip: 0,
    errors: [0, 0],
};

impl Node {
    fn at(&self, time: u64) -> u64 {
        self.offset + time + (time as f64 * self.ppm * 1e-6).round() as u64
    }

    fn compared(&self, time: u64, error: i64) -> ClockComparison {
        ClockComparison {
            reference: 0,
            ticks: self.at(time),
            reference_ticks: time.saturating_add_signed(error),
            round_trip: self.round_trip,
            exchanges: 120,
        }
    }
}

/// Analyses streams (index is the thread, a tick is `tick` nanoseconds) of threads on these nodes.
fn analyse(streams: &[StreamBuilder], tick: u64, node_of: &[usize], nodes: &[Node]) -> Analysis {
    let directory = tempfile::tempdir().expect("a folder");
    let path = directory.path().join("experiment");
    let mut builder = ExperimentBuilder::new("prog", streams.len() as u32);
    let events = || streams.iter().flat_map(|stream| stream.events());
    let last = events().map(|event| event.time).max().unwrap_or(0);
    let end = BEGIN + last * tick + 1_000_000_000;
    for (thread, stream) in streams.iter().enumerate() {
        let node = nodes[node_of[thread]];
        let out = builder.thread(thread as u32);
        out.property("host", &format!("node{}", node_of[thread]));
        let is_first = node_of.iter().position(|n| *n == node_of[thread]) == Some(thread);
        if node_of[thread] != 0 && is_first {
            let [first, second] = node.errors;
            out.compare_clocks(&[node.compared(BEGIN - 1_000_000, first)]);
            out.compare_clocks(&[node.compared(end, second)]);
        }
        for event in stream.events() {
            let time = node.at(BEGIN + event.time * tick);
            match event.kind {
                EventKind::Enter { site, attributes } => {
                    out.enter(time, &stream.sites()[site.0 as usize], attributes)
                }
                EventKind::Exit { attributes, .. } => out.exit(time, attributes),
            };
        }
    }
    builder.write(&path).expect("an experiment");
    let experiment = Experiment::open(&path).expect("readable");
    let analysis = analyze(&experiment, &|_| {}).expect("analysed");
    crate::common::check_sums(&analysis);
    analysis
}

fn clocks(analysis: &Analysis) -> &ClockSummary {
    analysis.summary.clocks.as_ref().expect("several nodes")
}

fn assert_close(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} is not {expected}");
}

/// Thread 0 comes to a barrier at `early`, thread 1 at `late`; both leave at `exit`, and come back
/// to another one.
fn barrier(early: u64, late: u64, exit: u64) -> Vec<StreamBuilder> {
    [early, late]
        .into_iter()
        .map(|arrival| {
            let mut stream = StreamBuilder::new();
            stream.call(0, "main", FILE, 1);
            stream.operation(arrival, exit, Operation::Barrier, FILE, 7);
            stream.leave(exit + 1_000);
            stream
        })
        .collect()
}

const SHIFTED: Node = Node {
    offset: 77_000_000_000,
    ppm: 30.0,
    round_trip: 4_000,
    errors: [1_500, -1_000],
};

#[test]
fn waiting_longer_than_the_uncertainty_is_found_as_with_one_clock() {
    let streams = barrier(100_000, 900_000, 901_000);
    let analysis = analyse(&streams, 1, &[0, 1], &[REFERENCE, SHIFTED]);
    assert_close(total(&analysis, "wait_at_barrier"), 800e-6, 2.1e-6);
    let clocks = clocks(&analysis);
    assert_eq!(clocks.method, "linear");
    assert_eq!(clocks.below_uncertainty_seconds, 0.0);
    assert_close(clocks.waiting_seconds, 800e-6, 2.1e-6);
    assert_eq!(clocks.nodes[0].uncertainty_seconds, Some(0.0));
    assert_close(clocks.nodes[1].uncertainty_seconds.unwrap(), 2e-6, 5e-8);
    assert_close(clocks.nodes[1].drift_ppm.unwrap(), 30.0, 4.0);
    assert_eq!(clocks.nodes[1].exchanges, 240);
    let waiting = &analysis.summary.findings[0];
    assert_eq!(waiting.metric, "wait_at_barrier");
    assert!(!waiting.cause.contains("uncertainty"), "{}", waiting.cause);
    assert!(analysis.summary.remarks.is_empty());
}

#[test]
fn waiting_shorter_than_the_uncertainty_is_marked() {
    let exact = Node {
        errors: [0, 0],
        ..SHIFTED
    };
    let streams = barrier(100_000, 101_200, 101_300);
    let analysis = analyse(&streams, 1, &[0, 1], &[REFERENCE, exact]);
    assert_close(total(&analysis, "wait_at_barrier"), 1.2e-6, 3e-9);
    let found = clocks(&analysis);
    assert_close(found.share_below_uncertainty(), 1.0, 1e-12);
    let finding = &analysis.summary.findings;
    let finding = finding.iter().find(|f| f.metric == "wait_at_barrier");
    let cause = &finding.expect("a finding").cause;
    assert!(
        cause.contains("All of it is below the uncertainty of the clocks (±2.0"),
        "{cause}"
    );
    let remarks = analysis.summary.remarks.join("\n");
    assert!(remarks.contains("which are known to ±2.0"), "{remarks}");
    // Two threads of one node share a clock, however badly it is known to others.
    let mut streams = streams;
    streams.push(streams[1].clone());
    let same_node = analyse(&streams, 1, &[1, 0, 0], &[REFERENCE, exact]);
    let all = clocks(&same_node);
    assert!(all.waiting_seconds > 0.0);
    let mut on_one = barrier(100_000, 101_200, 101_300);
    on_one.push(StreamBuilder::new());
    let apart = analyse(&on_one, 1, &[1, 1, 0], &[REFERENCE, exact]);
    assert_eq!(clocks(&apart).below_uncertainty_seconds, 0.0);
}

#[test]
fn exits_before_the_last_arrival_are_counted() {
    // By an error of 1.5 us, thread 1 seems to leave that much earlier than thread 0 comes.
    let late = Node {
        errors: [-1_500, -1_500],
        ..SHIFTED
    };
    let streams = barrier(200_000, 100_000, 200_100);
    let analysis = analyse(&streams, 1, &[0, 1], &[REFERENCE, late]);
    let violations = &clocks(&analysis).violations;
    assert_eq!((violations.barriers, violations.unexplained), (1, 0));
    assert_close(violations.largest_seconds, 1.4e-6, 2e-8);
    let remarks = analysis.summary.remarks.join("\n");
    assert!(!remarks.contains("before their causes"), "{remarks}");
    // A clock that does not run evenly: the comparisons are wrong by more than they state.
    let wrong = Node {
        errors: [-9_000, -9_000],
        ..SHIFTED
    };
    let analysis = analyse(&streams, 1, &[0, 1], &[REFERENCE, wrong]);
    assert_eq!(clocks(&analysis).violations.unexplained, 1);
    let remarks = analysis.summary.remarks.join("\n");
    assert!(remarks.contains("and 1 of them by more"), "{remarks}");
}

/// A lock goes from node 0 to node 1 and back, each time handed over in 200 ns; by an error of 1.5
/// us it is taken before it was given back.
#[test]
fn locks_change_hands_in_the_right_order() {
    let node = Node {
        errors: [-1_500, -1_500],
        ..SHIFTED
    };
    let mut streams = vec![StreamBuilder::new(), StreamBuilder::new()];
    for stream in &mut streams {
        stream.call(0, "main", FILE, 1);
    }
    // Thread 0 has it from 10 us to 100 us, thread 1 wants it from 50 us on and has it to 300 us.
    for (thread, wanted, taken, given) in
        [(0, 9_000, 10_000, 100_000), (1, 50_000, 100_200, 300_000)]
    {
        let stream: &mut StreamBuilder = &mut streams[thread];
        stream.begin(wanted, Operation::Lock, FILE, 10, lock(3));
        stream.leave(taken);
        stream.begin(given, Operation::Unlock, FILE, 30, lock(3));
        stream.leave(given + 50);
    }
    for stream in &mut streams {
        stream.leave(400_000);
    }
    let analysis = analyse(&streams, 1, &[0, 1], &[REFERENCE, node]);
    assert_close(total(&analysis, "lock_contention"), 50e-6, 2.1e-6);
    let violations = &clocks(&analysis).violations;
    assert_eq!((violations.locks, violations.unexplained), (1, 0));
    assert_close(violations.largest_seconds, 1.3e-6, 2e-8);
    let remarks = analysis.summary.remarks.join("\n");
    assert!(!remarks.contains("had not given back"), "{remarks}");
    let finding = &analysis.summary.findings;
    let finding = finding.iter().find(|f| f.metric == "lock_contention");
    assert_eq!(finding.expect("a finding").culprit_thread, Some(0));
}

#[test]
fn without_comparisons_waiting_between_nodes_is_not_known() {
    let streams = barrier(100_000, 900_000, 901_000);
    let directory = tempfile::tempdir().expect("a folder");
    let path = directory.path().join("experiment");
    let mut builder = ExperimentBuilder::new("prog", 2);
    for (thread, stream) in streams.iter().enumerate() {
        let out = builder.thread(thread as u32);
        out.property("host", &format!("node{thread}"));
        for event in stream.events() {
            match event.kind {
                EventKind::Enter { site, attributes } => {
                    out.enter(event.time, &stream.sites()[site.0 as usize], attributes)
                }
                EventKind::Exit { attributes, .. } => out.exit(event.time, attributes),
            };
        }
    }
    builder.write(&path).expect("an experiment");
    let experiment = Experiment::open(&path).expect("readable");
    let analysis = analyze(&experiment, &|_| {}).expect("analysed");
    let clocks = clocks(&analysis);
    assert_eq!(clocks.method, "incomplete");
    assert_eq!(clocks.uncertainty_seconds(), None);
    assert_close(clocks.share_below_uncertainty(), 1.0, 1e-12);
    let cause = &analysis.summary.findings[0].cause;
    assert!(cause.contains("clocks were not compared"), "{cause}");
    let remarks = analysis.summary.remarks.join("\n");
    assert!(
        remarks.contains("of which not all were compared"),
        "{remarks}"
    );
}

/// A random program on one node, and the same on three whose clocks differ: each wait state's sum
/// changes by no more than the uncertainty of its ends, and no order is doubted.
fn found_as_by_one_clock(
    threads: usize,
    steps: &[(u8, u64)],
    nodes: [Node; 2],
) -> Result<(), TestCaseError> {
    let simulation = Simulation::run(threads, steps);
    let nodes = [REFERENCE, nodes[0], nodes[1]];
    let spread: Vec<usize> = (0..threads).map(|thread| thread % 3).collect();
    let tick = 1_000;
    let plain = analyse(&simulation.streams, tick, &vec![0; threads], &nodes);
    let shifted = analyse(&simulation.streams, tick, &spread, &nodes);
    prop_assert!(plain.summary.clocks.is_none());
    let uncertainty = clocks(&shifted).uncertainty_seconds().expect("compared") + 3e-9;
    let operations = simulation
        .streams
        .iter()
        .map(|s| s.events().len() / 2)
        .sum::<usize>();
    let allowed = 4.0 * uncertainty * operations as f64;
    let mut plain_sum = 0.0;
    let mut shifted_sum = 0.0;
    for metric in WAIT_STATES {
        let (a, b) = (total(&plain, metric), total(&shifted, metric));
        prop_assert!(
            (a - b).abs() <= allowed,
            "{}: {} became {}, allowed {}",
            metric,
            a,
            b,
            allowed
        );
        plain_sum += a;
        shifted_sum += b;
    }
    prop_assert!(
        (clocks(&shifted).waiting_seconds - shifted_sum).abs() <= 1e-9 + 1e-6 * shifted_sum
    );
    prop_assert!((plain_sum - shifted_sum).abs() <= allowed);
    prop_assert_eq!(clocks(&shifted).violations.unexplained, 0);
    prop_assert_eq!(clocks(&shifted).held_events, 0);
    let about_order =
        |remark: &String| remark.contains("had not given back") || remark.contains("disagree");
    prop_assert!(
        !shifted.summary.remarks.iter().any(about_order),
        "{:?}",
        shifted.summary.remarks
    );
    // A wait that is marked is shorter than the uncertainty of two clocks.
    let most_below = 2.0 * uncertainty * operations as f64;
    prop_assert!(clocks(&shifted).below_uncertainty_seconds <= most_below);
    Ok(())
}

/// In the allocation, one thread leaves at the tick at which another comes, so that by their clocks
/// it left before: whom the others waited for must not depend on that.
#[test]
fn leaving_an_allocation_when_the_last_thread_comes_is_not_leaving_early() {
    let steps = [
        (1, 6442005693329609231),
        (4, 7385737587504249586),
        (3, 13152081185034926539),
        (3, 8797121945205337112),
    ];
    let nodes = [
        Node {
            offset: 1084348244560,
            ppm: -14.411538479728522,
            round_trip: 36,
            errors: [7, -9],
        },
        Node {
            offset: 592693127462,
            ppm: -69.80501094098584,
            round_trip: 131,
            errors: [52, -16],
        },
    ];
    found_as_by_one_clock(2, &steps, nodes).expect("as by one clock");
}

fn node() -> impl Strategy<Value = Node> {
    let error = -0.5f64..0.5;
    (
        0u64..1 << 40,
        -90.0f64..90.0,
        2u64..400,
        [error.clone(), error],
    )
        .prop_map(|(offset, ppm, round_trip, errors)| Node {
            offset,
            ppm,
            round_trip,
            errors: errors.map(|share| (share * round_trip as f64) as i64),
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random programs on one node, and the same on three whose clocks differ: each thread's wait in each operation changes
    /// by no more than the uncertainty of its ends. Ticks of the program are longer than that, so that no two events
    /// change places.
    #[test]
    fn wait_states_are_those_of_one_clock(
        threads in 2usize..6,
        steps in prop::collection::vec((0u8..6, any::<u64>()), 1..40),
        nodes in [node(), node()],
    ) {
        found_as_by_one_clock(threads, &steps, nodes)?;
    }
}

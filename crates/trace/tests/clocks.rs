//! Clocks of several nodes: experiments whose clocks are shifted and stretched by known amounts,
//! and compared with known errors. What the reader makes of a time must be the true one to within
//! the uncertainty that it states.

use std::path::PathBuf;

use pgas_trace::clocks::Method;
use pgas_trace::model::{Attributes, ClockComparison, Operation, Site};
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;
use tempfile::TempDir;

/// The clock of a node: what it shows at a true time, which is that of node 0.
#[derive(Debug, Clone, Copy)]
struct NodeClock {
    offset: u64,
    ppm: f64,
}

impl NodeClock {
    const TRUE: NodeClock = NodeClock {
        offset: 0,
        ppm: 0.0,
    };

    fn at(self, time: u64) -> u64 {
        self.offset + time + (time as f64 * self.ppm * 1e-6).round() as u64
    }
}

/// A comparison of `own` with `reference` at a true time, of which the reference's reading was
/// really taken `late` ticks later; it must be within half a round trip.
fn compare(
    own: NodeClock,
    reference: (u32, NodeClock),
    time: u64,
    round_trip: u64,
    late: i64,
) -> ClockComparison {
    ClockComparison {
        reference: reference.0,
        ticks: own.at(time),
        reference_ticks: reference.1.at(time.saturating_add_signed(late)),
        round_trip,
        exchanges: 150,
    }
}

struct Written {
    experiment: Experiment,
    _directory: TempDir,
}

/// Threads on nodes named by `nodes`, each with events at `times` (true ones) on its node's clock.
fn write(
    nodes: &[usize],
    clocks: &[NodeClock],
    times: &[u64],
    comparisons: &[(u32, ClockComparison)],
) -> Written {
    let directory = tempfile::tempdir().expect("a folder");
    let path: PathBuf = directory.path().join("experiment");
    let mut builder = ExperimentBuilder::new("clocks", nodes.len() as u32);
    let site = Site::operation(Operation::Fence, "a.upc", 1);
    for (thread, &node) in nodes.iter().enumerate() {
        let made: Vec<ClockComparison> = comparisons
            .iter()
            .filter(|(by, _)| *by as usize == thread)
            .map(|(_, comparison)| *comparison)
            .collect();
        let stream = builder.thread(thread as u32);
        stream.property("host", &format!("node{node}"));
        if !made.is_empty() {
            stream.compare_clocks(&made);
        }
        for &time in times {
            stream.enter(clocks[node].at(time), &site, Attributes::None);
            stream.exit(clocks[node].at(time), Attributes::None);
        }
    }
    builder.write(&path).expect("an experiment");
    Written {
        experiment: Experiment::open(&path).expect("readable"),
        _directory: directory,
    }
}

/// Corrected times of a thread's Enters.
fn enters(experiment: &Experiment, thread: usize) -> Vec<u64> {
    let events = experiment.corrected_events(&experiment.streams()[thread]);
    let times = events.map(|event| event.expect("readable").time);
    times.step_by(2).collect()
}

/// Every time of every thread is right within the stated uncertainty, which is finite; returns the
/// largest one.
fn assert_right(written: &Written, times: &[u64]) -> f64 {
    let experiment = &written.experiment;
    let clocks = experiment.clocks();
    let mut largest: f64 = 0.0;
    for stream in experiment.streams() {
        let thread = stream.thread();
        for (found, &time) in enters(experiment, thread as usize).iter().zip(times) {
            let stated = clocks.uncertainty(thread, *found);
            let error = *found as f64 - time as f64;
            assert!(
                error.abs() <= stated + 2.0,
                "thread {thread} at {time}: wrong by {error}, stated {stated}"
            );
            assert!(stated.is_finite());
            largest = largest.max(stated);
        }
    }
    largest
}

const START: u64 = 1_000_000_000;
const END: u64 = 61_000_000_000;
const TIMES: [u64; 5] = [
    900_000_000,
    1_500_000_000,
    20_000_000_000,
    60_000_000_000,
    62_000_000_000,
];

#[test]
fn start_and_end_give_offset_and_drift() {
    let clocks = [
        NodeClock::TRUE,
        NodeClock {
            offset: 7_000_000_000_000,
            ppm: 35.0,
        },
        NodeClock {
            offset: 123,
            ppm: -60.0,
        },
    ];
    // Threads 1, 3 and 5 compare nothing: they share the clocks of 0, 2 and 4.
    let nodes = [0, 0, 1, 1, 2, 2];
    let with_zero = |thread: u32, time, late| {
        let own = clocks[nodes[thread as usize]];
        (thread, compare(own, (0, clocks[0]), time, 4_000, late))
    };
    let comparisons = [
        with_zero(2, START, 1_500),
        with_zero(2, END, -1_900),
        with_zero(4, START, -2_000),
        with_zero(4, END, 10),
    ];
    let written = write(&nodes, &clocks, &TIMES, &comparisons);
    let largest = assert_right(&written, &TIMES);
    assert!((2_000.0..2_300.0).contains(&largest), "{largest}");
    let found = written.experiment.clocks();
    assert_eq!(found.method(), Method::Linear);
    assert_eq!(found.uncertainty_between(0, 1, START), 0.0);
    assert_eq!(found.uncertainty_between(4, 5, START), 0.0);
    let pair = found.uncertainty_between(3, 5, START);
    assert!((4_000.0..4_200.0).contains(&pair), "{pair}");
    let correction = found.nodes()[1].correction().expect("one");
    let drift = 1e6 * correction.drift().expect("it was measured");
    assert!((drift - 35.0).abs() < 0.1, "{drift} ppm");
}

#[test]
fn a_ring_adds_up_what_lies_between() {
    let clocks: Vec<NodeClock> = (0..5)
        .map(|node| NodeClock {
            offset: node * 1_000_000_007,
            ppm: 12.0 * node as f64,
        })
        .collect();
    let nodes = [0, 1, 2, 3, 4];
    let comparisons: Vec<_> = (1..5)
        .flat_map(|thread| {
            let left = (thread - 1, clocks[thread as usize - 1]);
            let own = clocks[thread as usize];
            [START, END].map(|time| (thread, compare(own, left, time, 2_000, 900)))
        })
        .collect();
    let written = write(&nodes, &clocks, &TIMES, &comparisons);
    assert_right(&written, &TIMES);
    let found = written.experiment.clocks();
    assert_eq!(found.method(), Method::Ring);
    for thread in 1..5 {
        let stated = found.uncertainty(thread, START);
        let links = f64::from(thread);
        assert!((1_000.0 * links..1_010.0 * links).contains(&stated));
    }
    // Neighbours are known better to each other than to the reference.
    let neighbours = found.uncertainty_between(3, 4, START);
    assert!((1_000.0..1_010.0).contains(&neighbours), "{neighbours}");
}

#[test]
fn without_a_comparison_at_the_end_the_uncertainty_grows() {
    let clocks = [
        NodeClock::TRUE,
        NodeClock {
            offset: 5_000,
            ppm: 80.0,
        },
    ];
    let start = (1, compare(clocks[1], (0, clocks[0]), START, 1_000, 100));
    let written = write(&[0, 1], &clocks, &TIMES, &[start]);
    let largest = assert_right(&written, &TIMES);
    // A tenth of a millisecond for each second since the comparison.
    assert!((6_000_000.0..6_200_000.0).contains(&largest), "{largest}");
    let correction = written.experiment.clocks().nodes()[1].correction();
    assert!(!correction.expect("one").measures_drift());
}

#[test]
fn what_was_never_compared_is_not_known() {
    let clocks = [NodeClock::TRUE; 3];
    let comparison = (1, compare(clocks[1], (0, clocks[0]), START, 100, 0));
    let written = write(&[0, 1, 2], &clocks, &TIMES, &[comparison]);
    let found = written.experiment.clocks();
    assert_eq!(found.method(), Method::Incomplete);
    assert!(found.uncertainty_between(0, 1, START).is_finite());
    assert_eq!(found.uncertainty_between(0, 2, START), f64::INFINITY);
    assert_eq!(found.uncertainty_between(2, 1, START), f64::INFINITY);
    let remarks = written.experiment.remarks().join("\n");
    assert!(remarks.contains("node2"), "{remarks}");
}

#[test]
fn on_one_node_times_stay_what_they_are() {
    let written = write(&[0, 0], &[NodeClock::TRUE], &TIMES, &[]);
    let experiment = &written.experiment;
    assert!(experiment.clocks().are_one());
    assert_eq!(enters(experiment, 1), TIMES);
    assert_eq!(experiment.clocks().uncertainty_between(0, 1, START), 0.0);
}

/// The reference's clock was set back by half a minute: the comparisons contradict each other.
#[test]
fn events_that_would_run_backwards_are_held_and_counted() {
    let clocks = [NodeClock::TRUE; 2];
    let mut end = compare(clocks[1], (0, clocks[0]), END, 100, 0);
    end.reference_ticks = START - 30_000_000_000_u64.min(START);
    let start = compare(clocks[1], (0, clocks[0]), START, 100, 0);
    let written = write(&[0, 1], &clocks, &TIMES, &[(1, start), (1, end)]);
    let experiment = &written.experiment;
    let mut events = experiment.corrected_events(&experiment.streams()[1]);
    let mut last = 0;
    for event in events.by_ref() {
        let time = event.expect("readable").time;
        assert!(time >= last);
        last = time;
    }
    assert!(events.held() > 0);
}

/// Whose stream is missing may still be what connects the others.
#[test]
fn a_thread_without_a_stream_still_connects_others() {
    let clocks = [
        NodeClock::TRUE,
        NodeClock {
            offset: 1_000_000,
            ppm: 20.0,
        },
        NodeClock {
            offset: 9_000_000,
            ppm: -20.0,
        },
    ];
    let comparisons: Vec<_> = [1, 2]
        .into_iter()
        .flat_map(|thread| {
            let own = clocks[thread as usize];
            [START, END].map(|time| (thread, compare(own, (0, clocks[0]), time, 600, 200)))
        })
        .collect();
    let written = write(&[0, 1, 2], &clocks, &TIMES, &comparisons);
    let directory = written.experiment.directory().to_owned();
    std::fs::remove_file(directory.join("streams/thread-0000.pgt")).expect("thread 0's file");
    let experiment = Experiment::open(&directory).expect("readable");
    // Thread 1's clock is the reference now.
    let of_one = enters(&experiment, 0);
    assert_eq!(of_one, TIMES.map(|time| clocks[1].at(time)));
    let found = experiment.clocks();
    for (a, b) in of_one.iter().zip(enters(&experiment, 1)) {
        let stated = found.uncertainty_between(1, 2, *a);
        assert!(stated < 1_000.0);
        assert!((*a as f64 - b as f64).abs() <= stated + 2.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any number of nodes, compared with any other one that leads to the reference: corrected times are the true ones
    /// within the stated uncertainty.
    #[test]
    fn correction_undoes_linear_clocks(
        nodes in prop::collection::vec(
            (0u64..1 << 45, -90.0f64..90.0, any::<prop::sample::Index>(), 2u64..100_000, any::<bool>(), -1.0f64..1.0, -1.0f64..1.0),
            1..6,
        ),
        times in prop::collection::vec(0u64..100_000_000_000, 1..10),
    ) {
        let mut clocks = vec![NodeClock::TRUE];
        clocks.extend(nodes.iter().map(|&(offset, ppm, ..)| NodeClock { offset, ppm }));
        let mut comparisons = Vec::new();
        for (number, (_, _, parent, round_trip, at_end, first, second)) in nodes.iter().enumerate() {
            let thread = number as u32 + 1;
            let parent = parent.index(number + 1) as u32;
            let other = (parent, clocks[parent as usize]);
            let own = clocks[number + 1];
            let late = |share: f64| (share * (round_trip / 2) as f64) as i64;
            comparisons.push((thread, compare(own, other, START, *round_trip, late(*first))));
            if *at_end {
                comparisons.push((thread, compare(own, other, END, *round_trip, late(*second))));
            }
        }
        let mut times = times;
        times.sort();
        let all: Vec<usize> = (0..clocks.len()).collect();
        let written = write(&all, &clocks, &times, &comparisons);
        assert_right(&written, &times);
    }
}

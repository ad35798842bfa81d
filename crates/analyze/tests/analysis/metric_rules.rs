//! The rules that metrics keep among each other: the tree with its units, which modes of a
//! collective operation have which wait states, and to which of two wait states a second belongs
//! that both could claim. One tick is one second; what must come out is worked out by hand from the
//! definitions.

use crate::common::{alone, analyse, collective, per_thread};
use Operation::{Broadcast, Exchange, Gather, GatherAll, Permute, PrefixReduce, Reduce, Scatter};
use SyncMode::{All, Mine, None as No};
use pgas_analyze::{Analysis, metrics};
use pgas_cube::model::Unit;
use pgas_trace::model::{Attributes, Operation, SyncMode};

/// Everything that a thread's time is divided into, each below its parent.
const TIME: [(&str, &str); 41] = [
    ("computation", "time"),
    ("pgas", "time"),
    ("no_core", "time"),
    ("measurement", "time"),
    ("one_sided", "pgas"),
    ("collective", "pgas"),
    ("synchronization", "pgas"),
    ("allocation", "pgas"),
    ("io", "pgas"),
    ("late_broadcast", "collective"),
    ("early_gather", "collective"),
    ("early_gather_receiver", "early_gather"),
    ("early_gather_sender", "early_gather"),
    ("early_prefix_reduce", "collective"),
    ("wait_at_nxn", "collective"),
    ("nxn_completion", "collective"),
    ("collective_sync_in", "collective"),
    ("collective_sync_out", "collective"),
    ("wait_inside_collective", "collective"),
    ("barrier", "synchronization"),
    ("lock", "synchronization"),
    ("message", "pgas"),
    ("fence", "synchronization"),
    ("wait_at_barrier", "barrier"),
    ("split_phase_wait", "barrier"),
    ("barrier_completion", "barrier"),
    ("lock_contention", "lock"),
    ("point_to_point", "synchronization"),
    ("flag_wait", "point_to_point"),
    ("signal_wait", "point_to_point"),
    ("event_wait", "point_to_point"),
    ("late_producer", "message"),
    ("slow_consumer", "message"),
    ("idle_without_task", "message"),
    ("partner_wait", "point_to_point"),
    ("group_wait", "collective"),
    ("completion_wait", "one_sided"),
    ("fence_wait", "fence"),
    ("no_core_after_wait", "no_core"),
    ("wait_at_alloc", "allocation"),
    ("time", ""),
];

#[test]
fn the_tree_of_time_is_complete_and_has_nothing_else() {
    let metrics = metrics(true);
    let parent = |id: usize| metrics[id].parent;
    let root = |mut id: usize| {
        while let Some(above) = parent(id) {
            id = above.0;
        }
        metrics[id].unique_name.as_str()
    };
    let mut found: Vec<(&str, &str)> = (0..metrics.len())
        .filter(|&id| root(id) == "time")
        .map(|id| {
            assert_eq!(metrics[id].unit, Unit::Seconds);
            let above = parent(id).map_or("", |above| metrics[above.0].unique_name.as_str());
            (metrics[id].unique_name.as_str(), above)
        })
        .collect();
    let mut expected = TIME.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    for (id, above, unit) in [
        ("visits", None, Unit::Occurrences),
        ("bytes_put", None, Unit::Bytes),
        ("bytes_put_local", Some("bytes_put"), Unit::Bytes),
        ("bytes_put_remote", Some("bytes_put"), Unit::Bytes),
        ("bytes_get", None, Unit::Bytes),
        ("bytes_get_local", Some("bytes_get"), Unit::Bytes),
        ("bytes_get_remote", Some("bytes_get"), Unit::Bytes),
        ("imbalance", None, Unit::Seconds),
        ("delay", None, Unit::Seconds),
        ("delay_short_term", Some("delay"), Unit::Seconds),
        ("delay_long_term", Some("delay"), Unit::Seconds),
        ("critical_path", None, Unit::Seconds),
    ] {
        let metric = metrics.iter().find(|m| m.unique_name == id).expect(id);
        let parent = metric.parent.map(|p| metrics[p.0].unique_name.as_str());
        assert_eq!((parent, metric.unit), (above, unit), "{id}");
    }
}

fn once(operation: Operation, spans: &[(u64, u64)], exit: Attributes) -> Analysis {
    let streams: Vec<_> = spans
        .iter()
        .map(|&(begin, end)| alone(operation, begin, end, exit))
        .collect();
    analyse(&streams)
}

/// Wait states of collective operations that are not zero, by thread.
fn waiting(analysis: &Analysis) -> Vec<(&str, Vec<f64>)> {
    let cube = &analysis.cube;
    let ids = cube.metrics.iter().map(|m| m.unique_name.as_str());
    let groups = ["collective", "early_gather"];
    let states = ids.filter(|&id| {
        let parent = cube.metric(id).and_then(|m| cube.metrics[m.0].parent);
        let of_group = parent.is_some_and(|p| groups.contains(&&*cube.metrics[p.0].unique_name));
        of_group && !groups.contains(&id)
    });
    let mut found: Vec<_> = states
        .map(|id| (id, per_thread(analysis, id)))
        .filter(|(_, seconds)| seconds.iter().any(|&s| s != 0.0))
        .collect();
    found.sort_by_key(|(id, _)| *id);
    found
}

/// Threads enter at 10, 30, 50, 40; thread 1 is the root and stays alone from 70, when the last
/// other thread leaves, to 95.
const SPANS: [(u64, u64); 4] = [(10, 60), (30, 95), (50, 70), (40, 65)];

#[test]
fn every_operation_has_the_wait_states_of_its_modes() {
    const TO_LAST: [f64; 4] = [40.0, 20.0, 0.0, 10.0];
    // From the first exit, at 60, which is later than the last entry.
    const COMPLETION: [f64; 4] = [0.0, 35.0, 10.0, 5.0];
    const TO_ROOT: [f64; 4] = [20.0, 0.0, 0.0, 0.0];
    for operation in [
        Broadcast,
        Scatter,
        Gather,
        Reduce,
        GatherAll,
        Exchange,
        PrefixReduce,
        Permute,
    ] {
        let from_root = matches!(operation, Broadcast | Scatter);
        let to_root = matches!(operation, Gather | Reduce);
        let all_to_all = matches!(operation, GatherAll | Exchange);
        for sync_in in [No, Mine, All] {
            for sync_out in [No, Mine, All] {
                let mut expected: Vec<(&str, [f64; 4])> = Vec::new();
                if sync_in == All {
                    expected.push(("collective_sync_in", TO_LAST));
                }
                if sync_in == Mine && from_root {
                    expected.push(("late_broadcast", TO_ROOT));
                }
                if sync_in == Mine && to_root {
                    // From the root's entry at 30 to that of thread 2 at 50.
                    expected.push(("early_gather_receiver", [0.0, 20.0, 0.0, 0.0]));
                    if sync_out != No {
                        expected.push(("early_gather_sender", TO_ROOT));
                    }
                }
                if sync_in == Mine && operation == PrefixReduce {
                    // Thread 3 waits for thread 2; threads 1 and 2 come later than those with
                    // smaller numbers.
                    expected.push(("early_prefix_reduce", [0.0, 0.0, 0.0, 10.0]));
                }
                if sync_in == Mine && all_to_all {
                    expected.push(("wait_at_nxn", TO_LAST));
                }
                match sync_out {
                    All => expected.push(("collective_sync_out", COMPLETION)),
                    Mine if all_to_all => expected.push(("nxn_completion", COMPLETION)),
                    // Time that completion already counts is not counted again as being alone.
                    _ if sync_in == Mine && (from_root || to_root) => {
                        expected.push(("wait_inside_collective", [0.0, 25.0, 0.0, 0.0]));
                    }
                    _ => {}
                }
                expected.sort_by_key(|(id, _)| *id);
                let expected: Vec<_> = expected
                    .into_iter()
                    .map(|(id, seconds)| (id, seconds.to_vec()))
                    .collect();
                let root = (from_root || to_root).then_some(1);
                let a = once(operation, &SPANS, collective(root, sync_in, sync_out));
                let modes = format!("{operation:?} {sync_in:?} {sync_out:?}");
                assert_eq!(waiting(&a), expected, "{modes}");
            }
        }
    }
}

#[test]
fn the_receiver_waits_before_it_is_alone() {
    // Alone from 10 to 60, 70 to 80 and 90 to 100; until 80 it waits for the last sender.
    let spans = [(10, 100), (60, 70), (80, 90)];
    let a = once(Reduce, &spans, collective(Some(0), Mine, No));
    assert_eq!(
        waiting(&a),
        [
            ("early_gather_receiver", vec![70.0, 0.0, 0.0]),
            ("wait_inside_collective", vec![10.0, 0.0, 0.0])
        ]
    );
}

#[test]
fn others_count_only_while_the_root_is_there() {
    // Thread 1 was there 40 before the root, thread 2 stays 30 longer: neither makes up for the
    // root's 70 to 90.
    let spans = [(50, 100), (10, 70), (90, 130)];
    let a = once(Broadcast, &spans, collective(Some(0), Mine, No));
    assert_eq!(
        waiting(&a),
        [
            ("late_broadcast", vec![0.0, 40.0, 0.0]),
            ("wait_inside_collective", vec![20.0, 0.0, 0.0])
        ]
    );
}

#[test]
fn nobody_loses_more_than_its_time_in_the_operation() {
    // Thread 0 has left before thread 1 comes; its 5 seconds are all it can lose, and what follows
    // is not completion.
    let spans = [(10, 15), (40, 50)];
    let a = once(Exchange, &spans, collective(None, Mine, Mine));
    assert_eq!(
        waiting(&a),
        [
            ("nxn_completion", vec![0.0, 10.0]),
            ("wait_at_nxn", vec![5.0, 0.0])
        ]
    );
    // The same of a gather whose root has left before the last sender comes.
    let a = once(Gather, &spans, collective(Some(0), Mine, All));
    assert_eq!(per_thread(&a, "early_gather_receiver"), [5.0, 0.0]);
    assert_eq!(per_thread(&a, "wait_inside_collective"), [0.0, 0.0]);
}

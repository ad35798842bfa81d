//! Each pattern on events that are written down here, with the truth worked out by hand. One tick
//! is one second.

use crate::common::{FILE, alone, analyse, collective, lock, per_thread, total};
use SyncMode::{All, Mine, None as No};
use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation, SyncMode};

/// All threads are in `operation` once, from and to the given times.
fn once(operation: Operation, spans: &[(u64, u64)], exit: Attributes) -> Analysis {
    let streams: Vec<_> = spans
        .iter()
        .map(|&(begin, end)| alone(operation, begin, end, exit))
        .collect();
    analyse(&streams)
}

/// Metrics below `parent` other than `expected` must be zero.
fn only(analysis: &Analysis, parent: &str, expected: &[&str]) {
    let parent = analysis.cube.metric(parent).unwrap();
    for metric in &analysis.cube.metrics {
        let id = metric.unique_name.as_str();
        if metric.parent == Some(parent) && !expected.contains(&id) {
            assert_eq!(total(analysis, id), 0.0, "{id}");
        }
    }
}

fn barriers(spans: &[(u64, u64)]) -> Analysis {
    once(Operation::Barrier, spans, Attributes::None)
}

#[test]
fn barrier_waits_for_the_last() {
    let a = barriers(&[(10, 52), (50, 51), (30, 54)]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [40.0, 0.0, 20.0]);
    assert_eq!(per_thread(&a, "barrier_completion"), [1.0, 0.0, 3.0]);
    assert_eq!(per_thread(&a, "barrier"), [42.0, 1.0, 24.0]);
    let statistics = &a.summary.instances[0];
    assert_eq!(statistics.metric, "wait_at_barrier");
    assert_eq!(statistics.instances, 1);
    assert_eq!(statistics.last_counts, [0, 1, 0]);
    let worst = statistics.worst.as_ref().unwrap();
    assert_eq!(
        (worst.at_seconds, worst.seconds, worst.last_thread),
        (10.0, 60.0, 1)
    );
}

#[test]
fn waiting_is_spread_over_instances_and_threads() {
    // Three barriers: thread 1 comes 30, 10 and 20 late, thread 2 in the last one 5 less.
    let mut streams = [
        StreamBuilder::new(),
        StreamBuilder::new(),
        StreamBuilder::new(),
    ];
    for (thread, arrivals) in [[10, 110, 210], [40, 120, 230], [40, 120, 225]]
        .iter()
        .enumerate()
    {
        for (&arrival, exits) in arrivals.iter().zip([[41, 43, 43], [121; 3], [231; 3]]) {
            let exit = exits[thread];
            streams[thread].operation(arrival, exit, Operation::Barrier, FILE, 10);
        }
    }
    let a = analyse(&streams);
    let of = |metric: &str| {
        let mut all = a.summary.instances.iter();
        all.find(|i| i.metric == metric).unwrap()
    };
    let waits = of("wait_at_barrier");
    let spread = waits.spread.unwrap();
    let figures = |d: pgas_result::distribution::Distribution| {
        let quartiles = [d.lower_quartile, d.median, d.upper_quartile];
        (d.count, d.minimum, quartiles, d.percentile_95, d.maximum)
    };
    // Instances cost 30, 10 and 25; waits of one thread are 30, 10, 20 and 5.
    assert_eq!(
        figures(spread.instances),
        (3, 10.0, [10.0, 25.0, 30.0], 30.0, 30.0)
    );
    assert_eq!(
        figures(spread.threads),
        (4, 5.0, [5.0, 10.0, 20.0], 30.0, 30.0)
    );
    assert_eq!(spread.threads.mean, 65.0 / 4.0);
    assert_eq!(spread.until_last_exit, None);
    let worst = waits.worst.as_ref().unwrap();
    assert_eq!((worst.number, worst.longest_thread), (Some(1), Some(0)));
    assert_eq!(worst.longest_seconds, Some(30.0));

    // Two threads leave the first barrier 2 after the first: 4. The published value is that one's
    // time to the last.
    let completion = of("barrier_completion");
    assert_eq!(completion.instances, 1);
    let spread = completion.spread.unwrap();
    assert_eq!(spread.instances.maximum, 4.0);
    assert_eq!(spread.until_last_exit.unwrap().maximum, 2.0);
}

#[test]
fn nobody_waits_when_all_arrive_together() {
    let a = barriers(&[(50, 50), (50, 50), (50, 50)]);
    assert_eq!(total(&a, "barrier"), 0.0);
    only(&a, "barrier", &[]);
    assert!(a.summary.instances.is_empty());
    assert!(a.summary.findings.is_empty());
}

#[test]
fn a_tie_for_the_last_names_the_first_of_them() {
    let a = barriers(&[(10, 51), (50, 51), (50, 51)]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [40.0, 0.0, 0.0]);
    assert_eq!(a.summary.instances[0].last_counts, [0, 1, 0]);
}

#[test]
fn a_single_thread_waits_for_nobody() {
    let a = barriers(&[(10, 20)]);
    assert_eq!(total(&a, "barrier"), 10.0);
    only(&a, "barrier", &[]);
}

#[test]
fn rounds_are_distinguished_on_threads_that_run_ahead() {
    // Thread 0 leaves the first barrier and is in the second before thread 1 has left the first.
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    streams[0]
        .operation(10, 20, Operation::Barrier, FILE, 5)
        .operation(21, 60, Operation::Barrier, FILE, 5);
    streams[1]
        .operation(20, 40, Operation::Barrier, FILE, 5)
        .operation(59, 61, Operation::Barrier, FILE, 5);
    let a = analyse(&streams);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [10.0 + 38.0, 0.0]);
    assert_eq!(per_thread(&a, "barrier_completion"), [0.0, 20.0 + 1.0]);
    assert_eq!(a.summary.instances[0].instances, 2);
    assert_eq!(a.summary.instances[0].last_counts, [0, 2]);
}

#[test]
fn waiting_belongs_to_each_threads_own_call_path() {
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    streams[0].call(0, "f", FILE, 1).call(1, "g", FILE, 2);
    streams[0]
        .operation(10, 50, Operation::Barrier, FILE, 5)
        .leave(60)
        .leave(60);
    streams[1].call(0, "f", FILE, 1);
    streams[1]
        .operation(50, 51, Operation::Barrier, FILE, 7)
        .leave(60);
    let a = analyse(&streams);
    let rows: Vec<_> = a
        .cube
        .rows()
        .filter(|(m, ..)| Some(*m) == a.cube.metric("wait_at_barrier"))
        .collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        crate::common::path_name(&a, rows[0].1),
        "prog/f/g/upc_barrier:5"
    );
    assert_eq!(rows[0].2, [40.0, 0.0]);
}

/// A thread that notifies at `notify`, and is in upc_wait from `wait` to `end`.
fn split(notify: u64, wait: u64, end: u64) -> StreamBuilder {
    let mut s = StreamBuilder::new();
    s.call(0, "main", FILE, 1);
    s.operation(notify, notify + 1, Operation::Notify, FILE, 10);
    s.operation(wait, end, Operation::Wait, FILE, 12)
        .leave(1000);
    s
}

#[test]
fn a_split_phase_waits_only_for_notifies_after_its_own_work() {
    let a = analyse(&[split(10, 30, 51), split(50, 70, 71), split(20, 60, 61)]);
    assert_eq!(per_thread(&a, "split_phase_wait"), [20.0, 0.0, 0.0]);
    assert_eq!(total(&a, "wait_at_barrier"), 0.0);
    assert_eq!(a.summary.instances[0].last_counts, [0, 1, 0]);
}

#[test]
fn plain_barriers_meet_split_phases() {
    let mut plain = StreamBuilder::new();
    plain.call(0, "main", FILE, 1);
    plain
        .operation(15, 52, Operation::Barrier, FILE, 10)
        .leave(1000);
    let a = analyse(&[split(10, 30, 51), plain, split(50, 51, 53)]);
    assert_eq!(per_thread(&a, "split_phase_wait"), [20.0, 0.0, 0.0]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [0.0, 35.0, 0.0]);
    assert_eq!(per_thread(&a, "barrier_completion"), [0.0, 1.0, 2.0]);
}

#[test]
fn a_barrier_in_two_halves_is_a_barrier() {
    let halves = |notify: u64, end: u64| {
        let mut s = StreamBuilder::new();
        s.operation(notify, notify + 2, Operation::Notify, FILE, 10);
        s.operation(notify + 3, end, Operation::Wait, FILE, 10);
        s
    };
    let a = analyse(&[halves(10, 41), halves(40, 44)]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [30.0, 0.0]);
    assert_eq!(per_thread(&a, "barrier_completion"), [0.0, 3.0]);
    assert_eq!(total(&a, "split_phase_wait"), 0.0);
    assert_eq!(per_thread(&a, "visits"), [2.0, 2.0]);
}

#[test]
fn a_stall_of_the_measurement_is_not_a_wait() {
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    streams[0].begin(10, Operation::Barrier, FILE, 5, Attributes::None);
    streams[0]
        .operation(12, 22, Operation::MeasurementStall, "", 0)
        .leave(51);
    streams[1].operation(50, 51, Operation::Barrier, FILE, 5);
    let a = analyse(&streams);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [30.0, 0.0]);
    assert_eq!(per_thread(&a, "measurement"), [10.0, 0.0]);
    assert_eq!(per_thread(&a, "barrier"), [31.0, 1.0]);
}

#[test]
fn the_end_of_the_program_is_a_barrier() {
    let a = once(
        Operation::CollectiveExit,
        &[(10, 60), (55, 60)],
        Attributes::None,
    );
    assert_eq!(per_thread(&a, "wait_at_barrier"), [45.0, 0.0]);
    // Unless the runtime reports the barrier inside of it.
    let with_barrier = |begin: u64| {
        let mut s = StreamBuilder::new();
        s.begin(begin, Operation::CollectiveExit, "", 0, Attributes::None);
        s.operation(begin + 1, 60, Operation::Barrier, "", 0)
            .leave(60);
        s
    };
    let a = analyse(&[with_barrier(10), with_barrier(55)]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [45.0, 0.0]);
    assert_eq!(a.summary.instances.len(), 1);
}

/// A thread that takes lock 1 between `ask` and `got` and gives it back at `give`.
fn holder(ask: u64, got: u64, give: u64) -> StreamBuilder {
    let mut s = StreamBuilder::new();
    s.call(0, "main", FILE, 1);
    s.begin(ask, Operation::Lock, FILE, 20, lock(1)).leave(got);
    s.call(got, "update", FILE, 30).leave(give);
    s.begin(give, Operation::Unlock, FILE, 22, lock(1))
        .leave(give + 2);
    s.leave(1000);
    s
}

#[test]
fn a_lock_is_waited_for_until_its_release_begins() {
    let a = analyse(&[holder(10, 11, 50), holder(20, 52, 80), holder(30, 85, 90)]);
    assert_eq!(per_thread(&a, "lock_contention"), [0.0, 30.0, 50.0]);
    let statistics = &a.summary.instances[0];
    assert_eq!(
        (statistics.instances, &statistics.last_counts[..]),
        (2, &[1, 1, 0][..])
    );
    assert_eq!(statistics.worst.as_ref().unwrap().seconds, 50.0);
    let finding = a
        .summary
        .findings
        .iter()
        .find(|f| f.metric == "lock_contention")
        .unwrap();
    assert_eq!((finding.region.as_str(), finding.line), ("upc_lock", 20));
    assert!(
        finding.cause.contains("computing in update (a.upc:30)"),
        "{}",
        finding.cause
    );
}

#[test]
fn a_free_lock_is_not_waited_for() {
    let a = analyse(&[holder(10, 11, 20), holder(20, 22, 30), holder(40, 49, 50)]);
    // Thread 1 asks in the tick of the release; thread 2 long after: slow locks are not contention.
    assert_eq!(total(&a, "lock_contention"), 0.0);
    assert_eq!(total(&a, "lock"), 1.0 + 2.0 + 9.0 + 3.0 * 2.0);
}

#[test]
fn two_locks_do_not_mix_and_attempts_do_not_wait() {
    let mut other = StreamBuilder::new();
    other
        .begin(15, Operation::Lock, FILE, 20, lock(2))
        .leave(60);
    other.begin(61, Operation::LockAttempt, FILE, 21, lock(1));
    other.exit(62, Attributes::LockAttempt { acquired: true });
    let a = analyse(&[holder(10, 11, 61), other]);
    assert_eq!(total(&a, "lock_contention"), 0.0);
}

#[test]
fn a_lock_taken_by_an_attempt_is_waited_for() {
    let mut first = StreamBuilder::new();
    first.begin(0, Operation::LockAttempt, FILE, 21, lock(1));
    first.exit(1, Attributes::LockAttempt { acquired: true });
    first
        .begin(40, Operation::Unlock, FILE, 22, lock(1))
        .leave(41);
    let a = analyse(&[first, holder(10, 41, 50)]);
    assert_eq!(per_thread(&a, "lock_contention"), [0.0, 30.0]);
}

#[test]
fn allocation_waits_for_thread_0() {
    let spans = [(40, 45), (10, 61), (50, 62)];
    for operation in [Operation::AllAlloc, Operation::AllLockAlloc] {
        let a = once(operation, &spans, Attributes::None);
        assert_eq!(per_thread(&a, "wait_at_alloc"), [0.0, 30.0, 0.0]);
        assert_eq!(per_thread(&a, "allocation"), [5.0, 51.0, 12.0]);
        only(&a, "collective", &[]);
    }
    let a = once(Operation::AllFree, &spans, Attributes::None);
    assert_eq!(total(&a, "wait_at_alloc"), 0.0);
    assert_eq!(total(&a, "allocation"), 68.0);
}

#[test]
fn allocations_that_keep_threads_together_wait_for_the_last() {
    let spans = [(40, 60), (10, 61), (50, 62)];
    for operation in [
        Operation::AllAlloc,
        Operation::AllLockAlloc,
        Operation::AllFree,
        Operation::AllLockFree,
    ] {
        let a = once(operation, &spans, Attributes::None);
        assert_eq!(per_thread(&a, "wait_at_alloc"), [10.0, 40.0, 0.0]);
        assert_eq!(per_thread(&a, "allocation"), [20.0, 51.0, 12.0]);
    }
}

#[test]
fn broadcast_and_scatter_wait_for_the_root() {
    for operation in [Operation::Broadcast, Operation::Scatter] {
        let spans = [(10, 45), (40, 44), (50, 51)];
        let a = once(operation, &spans, collective(Some(1), Mine, No));
        assert_eq!(per_thread(&a, "late_broadcast"), [30.0, 0.0, 0.0]);
        // The root is never alone: thread 0 is there all the time.
        only(&a, "collective", &["late_broadcast"]);
        let a = once(operation, &spans, collective(Some(1), No, No));
        only(&a, "collective", &[]);
    }
}

#[test]
fn gather_and_reduce_let_the_root_wait_for_all() {
    for operation in [Operation::Gather, Operation::Reduce] {
        let spans = [(10, 70), (30, 35), (60, 61)];
        let a = once(operation, &spans, collective(Some(0), Mine, No));
        assert_eq!(per_thread(&a, "early_gather_receiver"), [50.0, 0.0, 0.0]);
        assert_eq!(total(&a, "early_gather_sender"), 0.0);
        assert_eq!(total(&a, "early_gather"), 50.0);
        // The rest of the root's time alone: after the last sender has left.
        assert_eq!(per_thread(&a, "wait_inside_collective"), [9.0, 0.0, 0.0]);
        only(
            &a,
            "collective",
            &["early_gather", "wait_inside_collective"],
        );
    }
}

#[test]
fn senders_wait_for_the_root_where_they_may_not_leave() {
    let spans = [(10, 55), (50, 60), (20, 57)];
    for (mode, waiting) in [
        (No, [0.0; 3]),
        (Mine, [40.0, 0.0, 30.0]),
        (All, [40.0, 0.0, 30.0]),
    ] {
        let a = once(Operation::Gather, &spans, collective(Some(1), Mine, mode));
        assert_eq!(per_thread(&a, "early_gather_sender"), waiting);
        assert_eq!(total(&a, "early_gather_receiver"), 0.0);
    }
}

#[test]
fn a_prefix_reduce_waits_for_smaller_numbers() {
    let spans = [(30, 90), (10, 90), (50, 90), (40, 90)];
    let a = once(Operation::PrefixReduce, &spans, collective(None, Mine, No));
    assert_eq!(
        per_thread(&a, "early_prefix_reduce"),
        [0.0, 20.0, 0.0, 10.0]
    );
    assert_eq!(a.summary.instances[0].last_counts, [0, 0, 1, 0]);
    only(&a, "collective", &["early_prefix_reduce"]);
}

#[test]
fn n_by_n_waits_for_all_and_completes() {
    for operation in [Operation::GatherAll, Operation::Exchange] {
        let spans = [(10, 62), (50, 64), (20, 61)];
        let a = once(operation, &spans, collective(None, Mine, Mine));
        assert_eq!(per_thread(&a, "wait_at_nxn"), [40.0, 0.0, 30.0]);
        assert_eq!(per_thread(&a, "nxn_completion"), [1.0, 3.0, 0.0]);
        only(&a, "collective", &["wait_at_nxn", "nxn_completion"]);
    }
}

#[test]
fn allsync_is_a_barrier_on_its_side() {
    let spans = [(10, 62), (50, 64), (20, 61)];
    for operation in [
        Operation::Broadcast,
        Operation::Permute,
        Operation::Exchange,
    ] {
        let root = (operation == Operation::Broadcast).then_some(0);
        let a = once(operation, &spans, collective(root, All, All));
        assert_eq!(per_thread(&a, "collective_sync_in"), [40.0, 0.0, 30.0]);
        assert_eq!(per_thread(&a, "collective_sync_out"), [1.0, 3.0, 0.0]);
        only(
            &a,
            "collective",
            &["collective_sync_in", "collective_sync_out"],
        );
    }
}

#[test]
fn completion_counts_only_after_the_last_entry() {
    // Thread 0 may leave at once; thread 2 comes after that.
    let a = once(
        Operation::Broadcast,
        &[(10, 12), (11, 52), (50, 53)],
        collective(Some(0), No, All),
    );
    assert_eq!(per_thread(&a, "collective_sync_out"), [0.0, 2.0, 3.0]);
}

#[test]
fn the_root_is_alone_where_nobody_else_is_in_the_operation() {
    // Others: 20 to 30 and 25 to 40 (united), 60 to 70; the last begins after the root has left.
    let spans = [(10, 80), (20, 30), (25, 40), (60, 70), (90, 99)];
    let a = once(Operation::Broadcast, &spans, collective(Some(0), Mine, No));
    assert_eq!(
        per_thread(&a, "wait_inside_collective"),
        [10.0 + 20.0 + 10.0, 0.0, 0.0, 0.0, 0.0]
    );
    only(&a, "collective", &["wait_inside_collective"]);
}

#[test]
fn a_thread_that_left_before_the_last_came_has_only_its_own_time() {
    // IN_MYSYNC and OUT_NOSYNC: thread 0 is a leaf that left before the root came.
    let a = once(
        Operation::Broadcast,
        &[(10, 15), (40, 50)],
        collective(Some(1), Mine, No),
    );
    assert_eq!(per_thread(&a, "late_broadcast"), [5.0, 0.0]);
}

//! Time without a core is a part of the time of its own: neither work, nor waiting, nor what an
//! operation costs.

use crate::common::{FILE, analyse, by_place, per_thread, total};
use pgas_analyze::{Analysis, analyze};
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::writer::StreamOptions;
use pgas_trace::{CoreUse, Experiment, ExperimentBuilder};

/// Seconds of a metric at one call path, by thread.
fn at(analysis: &Analysis, metric: &str, path: &str) -> Vec<f64> {
    let places = by_place(analysis, metric);
    let seconds = |thread| places.get(&(path.to_owned(), thread)).copied();
    let threads = 0..analysis.cube.threads.len();
    threads.map(|t| seconds(t).unwrap_or(0.0)).collect()
}

/// A thread that computes in `relax` until `until`, without a core for the last `lost` ticks of it.
fn work(stream: &mut StreamBuilder, begin: u64, until: u64, lost: u64) {
    stream.call(begin, "relax", FILE, 3);
    if lost > 0 {
        stream.operation(until - lost, until, Operation::NoCore, "", 0);
    }
    stream.leave(until);
}

#[test]
fn a_lost_core_is_not_computation_and_is_what_others_waited_for() {
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    for (stream, lost) in streams.iter_mut().zip([0, 300]) {
        stream.call(0, "main", FILE, 1);
        work(stream, 10, 110 + lost, lost);
        stream.operation(110 + lost, 411, Operation::Barrier, FILE, 9);
        stream.leave(411);
    }
    let a = analyse(&streams);
    assert_eq!(per_thread(&a, "no_core"), [0.0, 300.0]);
    assert_eq!(at(&a, "computation", "prog/main/relax"), [100.0, 100.0]);
    assert_eq!(at(&a, "no_core", "prog/main/relax/no core"), [0.0, 300.0]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [300.0, 0.0]);
    // The work is even: it is not for the program that thread 0 waited.
    assert_eq!(total(&a, "imbalance"), 0.0);
    assert_eq!(a.summary.efficiency.load_balance, 1.0);
    assert_eq!(at(&a, "delay", "prog/main/relax/no core"), [0.0, 300.0]);
    let wait = &a.summary.findings[0];
    assert_eq!(wait.metric, "wait_at_barrier");
    for part in [
        "ready to run in relax (a.upc:3), but without a core",
        "thread 1",
    ] {
        let cause = wait.cause.to_lowercase();
        assert!(cause.contains(part), "{part}: {cause}");
    }
    assert!(wait.advice.contains("a core of its own"), "{}", wait.advice);
}

/// Two threads at a barrier from 10 on and from 50 on, left at 80 and 51; the first is without a
/// core from `since` on.
fn barrier(since: u64) -> Analysis {
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    streams[0].begin(10, Operation::Barrier, FILE, 5, Attributes::None);
    streams[0]
        .operation(since, 80, Operation::NoCore, "", 0)
        .leave(80);
    streams[1].operation(50, 51, Operation::Barrier, FILE, 5);
    analyse(&streams)
}

#[test]
fn at_a_barrier_a_core_is_missed_only_when_all_have_come() {
    for (since, lost, completion) in [
        (80, 0.0, 29.0),
        (70, 10.0, 19.0),
        (50, 30.0, 0.0),
        (20, 30.0, 0.0),
    ] {
        let a = barrier(since);
        let first = |metric| per_thread(&a, metric)[0];
        assert_eq!(first("wait_at_barrier"), 40.0, "since {since}");
        assert_eq!(first("no_core_after_wait"), lost, "since {since}");
        assert_eq!(first("no_core"), lost, "since {since}");
        assert_eq!(first("barrier_completion"), completion, "since {since}");
        assert_eq!(first("barrier"), 70.0 - lost, "since {since}");
        assert_eq!(per_thread(&a, "visits"), [2.0, 2.0], "since {since}");
    }
}

#[test]
fn a_lock_that_is_free_is_taken_when_there_is_a_core() {
    let lock = Attributes::Lock { lock: 7 };
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    // Thread 0 takes it first, and had no core meanwhile: it waited for nobody.
    streams[0].begin(10, Operation::Lock, FILE, 5, lock);
    streams[0]
        .operation(12, 20, Operation::NoCore, "", 0)
        .leave(20);
    streams[0].begin(60, Operation::Unlock, FILE, 6, lock);
    streams[0].leave(61);
    streams[1].begin(30, Operation::Lock, FILE, 5, lock);
    streams[1]
        .operation(40, 90, Operation::NoCore, "", 0)
        .leave(90);
    streams[1].begin(91, Operation::Unlock, FILE, 6, lock);
    streams[1].leave(92);
    let a = analyse(&streams);
    assert_eq!(per_thread(&a, "lock_contention"), [0.0, 30.0]);
    assert_eq!(per_thread(&a, "no_core_after_wait"), [8.0, 30.0]);
}

#[test]
fn where_nobody_waits_all_of_it_counts() {
    let mut s = StreamBuilder::new();
    for (begin, operation) in [
        (0, Operation::Memget),
        (100, Operation::LockAttempt),
        (200, Operation::Fence),
    ] {
        s.begin(begin, operation, FILE, 5, Attributes::None);
        s.operation(begin + 10, begin + 40, Operation::NoCore, "", 0);
        s.leave(begin + 50);
    }
    let a = analyse(&[s]);
    assert_eq!(total(&a, "no_core"), 90.0);
    assert_eq!(total(&a, "no_core_after_wait"), 0.0);
    for metric in ["one_sided", "lock", "fence"] {
        assert_eq!(total(&a, metric), 20.0, "{metric}");
    }
}

#[test]
fn a_notify_and_a_wait_of_one_line_are_a_barrier_though_a_core_was_lost_between_them() {
    let mut streams = [StreamBuilder::new(), StreamBuilder::new()];
    for (stream, arrival) in streams.iter_mut().zip([10, 41]) {
        stream.operation(arrival, arrival + 1, Operation::Notify, FILE, 5);
        stream.operation(arrival + 1, arrival + 2, Operation::NoCore, "", 0);
        stream.operation(arrival + 2, 44, Operation::Wait, FILE, 5);
    }
    let a = analyse(&streams);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [31.0, 0.0]);
    assert_eq!(per_thread(&a, "no_core"), [0.0, 1.0]);
}

/// Remarks on two threads that computed for a second and had no core for `lost` nanoseconds of it,
/// on `cores`.
fn remarks(lost: [u64; 2], cores: Option<u32>, is_known: bool) -> Vec<String> {
    const SECOND: u64 = 1_000_000_000;
    let mut builder = ExperimentBuilder::with_options("prog", 2, StreamOptions::default());
    builder.metadata_mut().cores = cores;
    for (thread, lost) in lost.into_iter().enumerate() {
        let used = CoreUse {
            wall: SECOND,
            cpu: SECOND - lost,
            user: None,
            voluntary_switches: 3,
            involuntary_switches: lost / 10_000_000,
            run_queue_wait: is_known.then_some(lost),
        };
        let stream = builder.thread(thread as u32);
        for (key, value) in used.properties() {
            stream.property(key, &value);
        }
        stream.enter(0, &Site::function("main", FILE, 1), Attributes::None);
        if is_known && lost > 0 {
            let site = Site::operation(Operation::NoCore, "", 0);
            stream.enter(SECOND - lost, &site, Attributes::None);
            stream.exit(SECOND, Attributes::None);
        }
        stream.exit(SECOND, Attributes::None);
    }
    let directory = tempfile::TempDir::new().unwrap();
    let path = directory.path().join("experiment");
    builder.write(&path).unwrap();
    let analysis = analyze(&Experiment::open(&path).unwrap(), &|_| {}).unwrap();
    crate::common::check_sums(&analysis);
    analysis.summary.remarks
}

#[test]
fn a_remark_says_for_how_much_of_the_time_threads_had_a_core() {
    let [remark] = &remarks([800_000_000; 2], None, true)[..] else {
        panic!("one remark");
    };
    for part in [
        "threads had a core for 20 %",
        "something else ran",
        "1.60 s without",
    ] {
        assert!(remark.contains(part), "{part}: {remark}");
    }
    let [remark] = &remarks([200_000_000, 600_000_000], Some(1), true)[..] else {
        panic!("one remark");
    };
    for part in [
        "for 60 %",
        "one of them for 40 %",
        "2 threads shared one core",
    ] {
        assert!(remark.contains(part), "{part}: {remark}");
    }
    // It may be that two threads need no more than one core.
    assert_eq!(remarks([40_000_000; 2], Some(1), true), [""; 0]);
}

#[test]
fn where_the_kernel_does_not_say_nothing_is_claimed() {
    let [remark] = &remarks([800_000_000; 2], None, false)[..] else {
        panic!("one remark");
    };
    assert!(remark.contains("the kernel does not say"), "{remark}");
    assert_eq!(remarks([40_000_000; 2], None, false), [""; 0]);
}

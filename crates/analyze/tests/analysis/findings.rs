//! Findings in situations with a known cause: the thread that came last, its activity meanwhile,
//! and the advice.

use crate::common::{FILE, analyse, lock};
use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::{Attributes, Operation};

fn finding<'a>(analysis: &'a Analysis, metric: &str) -> &'a Finding {
    let findings = &analysis.summary.findings;
    let found = findings
        .iter()
        .find(|f| f.metric == metric && f.kind != FindingKind::RemovableBarrier);
    found.unwrap_or_else(|| panic!("no finding on {metric} in {findings:#?}"))
}

/// Rounds of work and a barrier; `work` is the time of (thread, round) in `solve`, of which every
/// thread needs 100 more in `common`.
fn rounds(threads: usize, rounds: usize, work: impl Fn(usize, usize) -> u64) -> Vec<StreamBuilder> {
    let mut streams = vec![StreamBuilder::new(); threads];
    let mut now = 0;
    for (thread, stream) in streams.iter_mut().enumerate() {
        stream
            .call(0, "main", FILE, 1)
            .call(0, "iterate", FILE, thread as u32 / 100 + 5);
    }
    for round in 0..rounds {
        let last = (0..threads)
            .map(|thread| work(thread, round))
            .max()
            .unwrap_or(0);
        for (thread, stream) in streams.iter_mut().enumerate() {
            stream.call(now, "common", FILE, 50).leave(now + 100);
            stream
                .call(now + 100, "solve", FILE, 60)
                .leave(now + 100 + work(thread, round));
            let arrival = now + 100 + work(thread, round);
            stream.operation(arrival, now + 101 + last, Operation::Barrier, FILE, 20);
        }
        now += 101 + last;
    }
    for stream in &mut streams {
        stream.leave(now).leave(now);
    }
    streams
}

#[test]
fn one_slow_thread_is_named_with_the_function_that_makes_it_slow() {
    let a = analyse(&rounds(
        4,
        10,
        |thread, _| if thread == 2 { 70 } else { 20 },
    ));
    let f = finding(&a, "wait_at_barrier");
    assert_eq!(f, &a.summary.findings[0]);
    assert_eq!((f.seconds, f.culprit_thread), (1500.0, Some(2)));
    assert_eq!(
        (
            f.region.as_str(),
            f.function.as_str(),
            f.file.as_str(),
            f.line
        ),
        ("upc_barrier", "iterate", "a.upc", 20)
    );
    // All compute longest in common; but it is solve in which thread 2 differs.
    assert_eq!(
        f.cause,
        "Thread 2 came last in 10 of 10 instances and accounts for 100 % of the waiting. \
         Meanwhile it was computing in solve (a.upc:60), called from iterate, which took it \
         longer than the others (100 % of the waiting). Thread 2 computes 11.7 min here, the mean \
         over threads is 325 s: an imbalance of 71 %, where 100 % would be one thread working \
         alone."
    );
    assert_eq!(
        f.advice,
        "Give thread 2 less of the work in solve (a.upc:60), so that all threads need the same \
         time for it."
    );
    let whole: f64 = crate::common::total(&a, "time");
    assert!((f.percent - 100.0 * 1500.0 / whole).abs() < 1e-9);
    assert_eq!(a.cube.call_paths[f.call_path].line, 20);
    // The imbalance is no other finding, and the run would be shorter by no more than what balance
    // saves.
    let kinds: Vec<_> = a.summary.findings.iter().map(|f| f.kind).collect();
    assert!(!kinds.contains(&FindingKind::Imbalance), "{kinds:?}");
    // Ten times the excess of 70 over the mean of 70 and three times 20.
    assert_eq!(f.saves_seconds, Some(375.0));
}

#[test]
fn changing_lateness_is_told_from_one_slow_thread() {
    let a = analyse(&rounds(
        4,
        20,
        |thread, round| if round % 4 == thread { 90 } else { 30 },
    ));
    let f = finding(&a, "wait_at_barrier");
    assert!(
        f.cause.starts_with(
            "The thread that came last changes; thread 0 did so in 5 of 20 instances, with 25 %"
        ),
        "{}",
        f.cause
    );
    assert!(
        f.advice.contains("varies from thread to thread"),
        "{}",
        f.advice
    );
    // Over all rounds every thread does the same.
    assert!(a.summary.findings.iter().all(|f| f.metric != "imbalance"));
}

#[test]
fn an_outlier_is_named_with_its_time() {
    let a = analyse(&rounds(3, 20, |thread, round| match (thread, round) {
        (1, 7) => 900,
        (thread, round) => 10 + ((thread + round) % 3) as u64,
    }));
    let f = finding(&a, "wait_at_barrier");
    assert!(f.cause.starts_with("One of 20 instances, "), "{}", f.cause);
    assert!(f.cause.contains("thread 1 came last there"), "{}", f.cause);
    let worst = f.worst.as_ref().unwrap();
    assert_eq!((worst.last_thread, f.culprit_thread), (1, Some(1)));
    assert!(worst.seconds > 1770.0 && worst.seconds < 1800.0);
    assert!(f.advice.contains("done once"), "{}", f.advice);
}

#[test]
fn a_thread_that_is_late_because_of_transfers_is_told_to_make_them_larger() {
    let mut streams = vec![StreamBuilder::new(), StreamBuilder::new()];
    for (thread, stream) in streams.iter_mut().enumerate() {
        stream.call(0, "main", FILE, 1);
        let mut now = 0;
        for _ in 0..thread * 200 {
            let transfer = Attributes::transfer(0, 8);
            stream
                .begin(now, Operation::Get, FILE, 33, transfer)
                .leave(now + 2);
            now += 2;
        }
        stream
            .operation(now, 401, Operation::Barrier, FILE, 40)
            .leave(500);
    }
    let a = analyse(&streams);
    let wait = finding(&a, "wait_at_barrier");
    assert!(
        wait.cause
            .contains("in upc_get at a.upc:33, called from main"),
        "{}",
        wait.cause
    );
    assert!(wait.advice.contains("fewer and larger"), "{}", wait.advice);
    let gets = finding(&a, "one_sided");
    assert_eq!(
        (gets.seconds, gets.line, gets.culprit_thread),
        (400.0, 33, Some(1))
    );
    assert_eq!(
        gets.cause,
        "200 reads of 8 bytes each form 1 run to data of one thread that nothing interrupts (200 \
         in a run on average, 200 at most), and take 2.00 s each. That it lies side by side is \
         assumed; `pgastool run --addresses` would show it."
    );
    assert!(gets.advice.contains("upc_memget"), "{}", gets.advice);
}

#[test]
fn own_data_is_told_to_be_accessed_privately() {
    let mut stream = StreamBuilder::new();
    for now in 0..100 {
        let transfer = Attributes::transfer(0, 8);
        stream
            .begin(2 * now, Operation::Put, FILE, 33, transfer)
            .leave(2 * now + 1);
    }
    let a = analyse(&[stream]);
    let puts = finding(&a, "one_sided");
    assert!(
        puts.cause
            .contains("100 accesses here are to data with affinity to the accessing thread itself"),
        "{}",
        puts.cause
    );
    assert!(
        puts.advice.contains("pointer to private"),
        "{}",
        puts.advice
    );
}

#[test]
fn allocation_in_a_loop_is_told_from_allocation_once() {
    let stream = |calls: u64| {
        let mut s = StreamBuilder::new();
        s.call(0, "main", FILE, 1);
        for call in 0..calls {
            s.operation(
                10 + 20 * call,
                25 + 20 * call,
                Operation::AllAlloc,
                FILE,
                12,
            );
        }
        s.leave(1000);
        s
    };
    let a = analyse(&[stream(10), stream(10)]);
    let f = finding(&a, "allocation");
    assert!(
        f.cause
            .contains("20 calls, 10 per thread, with 15.0 s each"),
        "{}",
        f.cause
    );
    assert!(f.advice.contains("before the loop"), "{}", f.advice);
    let a = analyse(&[stream(1), stream(1)]);
    assert!(!finding(&a, "allocation").advice.contains("loop"));
}

#[test]
fn contention_names_the_owner_and_what_it_did() {
    let mut streams = vec![StreamBuilder::new(); 3];
    for (thread, stream) in streams.iter_mut().enumerate() {
        let begin = 50 * thread as u64;
        stream.call(0, "main", FILE, 1);
        stream
            .begin(thread as u64, Operation::Lock, FILE, 8, lock(5))
            .leave(begin.max(thread as u64));
        stream.call(begin + 2, "insert", FILE, 70).leave(begin + 48);
        stream
            .begin(begin + 49, Operation::Unlock, FILE, 10, lock(5))
            .leave(begin + 50);
        stream.leave(200);
    }
    let a = analyse(&streams);
    let f = finding(&a, "lock_contention");
    assert_eq!(f.seconds, 48.0 + 97.0);
    assert!(f.cause.contains("held the lock"), "{}", f.cause);
    assert!(
        f.cause.contains("computing in insert (a.upc:70)"),
        "{}",
        f.cause
    );
    assert!(f.advice.contains("while holding the lock"), "{}", f.advice);
}

#[test]
fn a_balanced_program_has_no_findings_on_waiting() {
    let a = analyse(&rounds(4, 50, |_, _| 1000));
    assert!(a.summary.findings.is_empty(), "{:#?}", a.summary.findings);
    let e = a.summary.efficiency;
    assert!(e.parallel_efficiency > 0.99 && e.load_balance == 1.0);
}

#[test]
fn a_barrier_that_nobody_needs_comes_before_what_it_costs_elsewhere() {
    let streams: Vec<StreamBuilder> = (0..2)
        .map(|thread: u64| {
            let mut stream = StreamBuilder::new();
            stream.call(0, "main", FILE, 1);
            for round in 0..10 {
                let start = 100 * round;
                let leaves = start + 12 + 30 * thread;
                stream.operation(start + 10, leaves, Operation::Barrier, FILE, 7);
                stream.operation(leaves + 8, start + 52, Operation::Barrier, FILE, 9);
            }
            stream.operation(1000, 1001, Operation::Barrier, FILE, 11);
            stream.leave(1001);
            stream
        })
        .collect();
    let analysis = analyse(&streams);
    let findings = &analysis.summary.findings;
    assert_eq!(
        findings[0].kind,
        FindingKind::RemovableBarrier,
        "{findings:#?}"
    );
    // The cost of the first barrier is reported once; the finding on waiting at the second one
    // names the first as its cause.
    let of_line = |line: u32| findings.iter().filter(move |finding| finding.line == line);
    let waits = |finding: &&Finding| finding.kind == FindingKind::Wait;
    assert_eq!(of_line(7).filter(waits).count(), 0, "{findings:#?}");
    let wait = of_line(9).find(waits).unwrap();
    assert!(
        wait.advice.contains("upc_barrier (a.upc:7)") && wait.advice.contains("use fewer barriers"),
        "{}",
        wait.advice
    );
}

//! Root causes and the critical path of programs that are written down here, with the truth worked
//! out by hand. One tick is one second.

use crate::common::{FILE, analyse, by_place, collective, lock, total};
use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation, SyncMode, ThreadId};

fn stream() -> StreamBuilder {
    let mut stream = StreamBuilder::new();
    stream.call(0, "main", FILE, 1);
    stream
}

/// The thread is in a function, and then at a barrier.
fn phase(stream: &mut StreamBuilder, function: &str, times: (u64, u64, u64), line: u32) {
    let (begin, arrival, exit) = times;
    stream.call(begin, function, FILE, 50).leave(arrival);
    stream.operation(arrival, exit, Operation::Barrier, FILE, line);
}

/// Values of a metric by last region and thread.
fn values(analysis: &Analysis, metric: &str) -> Vec<(String, usize, f64)> {
    let places = by_place(analysis, metric).into_iter();
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    places
        .map(|((path, thread), value)| (last(&path), thread, value))
        .collect()
}

fn is(found: &[(String, usize, f64)], expected: &[(&str, usize, f64)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|&(path, thread, value)| (path.to_owned(), thread, value))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_late_thread_is_passed_on_to_whom_it_had_waited_for() {
    // Thread 1 waits for the broadcast of thread 0, and so makes thread 2 wait at the barrier.
    let mut streams = vec![stream(), stream(), stream()];
    let exit = collective(Some(0), SyncMode::Mine, SyncMode::None);
    let broadcast = |stream: &mut StreamBuilder, enter: u64, leave: u64| {
        stream.begin(enter, Operation::Broadcast, FILE, 7, Attributes::None);
        stream.exit(leave, exit);
    };
    streams[0].call(0, "read", FILE, 60).leave(90);
    broadcast(&mut streams[0], 90, 92);
    streams[0].operation(92, 101, Operation::Barrier, FILE, 9);
    broadcast(&mut streams[1], 10, 91);
    phase(&mut streams[1], "solve", (91, 100, 101), 9);
    broadcast(&mut streams[2], 95, 96);
    streams[2].operation(96, 101, Operation::Barrier, FILE, 9);
    for stream in &mut streams {
        stream.leave(101);
    }
    // Thread 2 was busy for 95 seconds before.
    let a = analyse(&streams);
    assert_eq!(total(&a, "late_broadcast"), 80.0);
    assert_eq!(total(&a, "wait_at_barrier"), 8.0 + 4.0);
    // All of the broadcast is due to read. At the barrier, thread 1 has met thread 0 at 90, and
    // since then did 9 of solve, of which that one did nothing. Thread 2 has not met anybody:
    // thread 1 had waited for 80 more, and did 9 more of solve; of the 4 of waiting that are
    // due to both, solve has less than half a one.
    is(
        &values(&a, "delay_short_term"),
        &[("read", 0, 80.0), ("solve", 1, 8.0)],
    );
    is(&values(&a, "delay_long_term"), &[("read", 0, 4.0)]);
    let path = values(&a, "critical_path");
    for part in [("read", 0, 90.0), ("solve", 1, 9.0)] {
        let part = (part.0.to_owned(), part.1, part.2);
        assert!(path.contains(&part), "{path:?}");
    }
    assert_eq!(total(&a, "critical_path"), 101.0);
}

#[test]
fn a_delay_that_was_waited_for_is_paid() {
    // Thread 1 is late twice by the same function, but the second time has nothing to do with the
    // first.
    let mut streams = vec![stream(), stream()];
    phase(&mut streams[0], "f", (0, 10, 51), 5);
    phase(&mut streams[1], "f", (0, 50, 51), 5);
    phase(&mut streams[0], "g", (51, 60, 81), 6);
    phase(&mut streams[1], "g", (51, 80, 81), 6);
    for stream in &mut streams {
        stream.leave(81);
    }
    let a = analyse(&streams);
    is(
        &values(&a, "delay_short_term"),
        &[("f", 1, 40.0), ("g", 1, 20.0)],
    );
    assert_eq!(total(&a, "delay_long_term"), 0.0);
    is(
        &values(&a, "critical_path"),
        &[
            ("f", 1, 50.0),
            ("g", 1, 29.0),
            ("upc_barrier:5", 1, 1.0),
            ("upc_barrier:6", 0, 1.0),
        ],
    );
}

#[test]
fn a_queue_for_a_lock_is_due_to_all_that_had_it() {
    // Four threads come at once, and each has the lock for 10 seconds, of which 9 in update.
    let mut streams = vec![stream(); 4];
    for (thread, stream) in streams.iter_mut().enumerate() {
        let got = 10 * thread as u64;
        stream
            .begin(0, Operation::Lock, FILE, 5, lock(3))
            .leave(got);
        stream.call(got, "update", FILE, 70).leave(got + 9);
        stream
            .begin(got + 10, Operation::Unlock, FILE, 8, lock(3))
            .leave(got + 10);
        stream.leave(got + 10);
    }
    let a = analyse(&streams);
    assert_eq!(total(&a, "lock_contention"), 10.0 + 20.0 + 30.0);
    // Each of the first three made all that came after it wait, the next one directly.
    is(
        &values(&a, "delay_short_term"),
        &[
            ("main", 0, 1.0),
            ("main", 1, 1.0),
            ("main", 2, 1.0),
            ("update", 0, 9.0),
            ("update", 1, 9.0),
            ("update", 2, 9.0),
        ],
    );
    is(
        &values(&a, "delay_long_term"),
        &[
            ("main", 0, 2.0),
            ("main", 1, 1.0),
            ("update", 0, 18.0),
            ("update", 1, 9.0),
        ],
    );
    let path = values(&a, "critical_path");
    let updates: Vec<f64> = path
        .iter()
        .filter(|(name, _, _)| name == "update")
        .map(|&(_, _, value)| value)
        .collect();
    assert_eq!((updates, total(&a, "critical_path")), (vec![9.0; 4], 40.0));
    let causes = a.summary.causes.unwrap();
    assert_eq!(causes.critical_path.changes, 3);
    let first = &causes.root_causes[0];
    assert_eq!(
        (
            first.thread,
            first.short_term_seconds,
            first.long_term_seconds
        ),
        (0, 9.0, 18.0)
    );
    assert_eq!(first.effects[0].metric, "lock_contention");
}

#[test]
fn what_is_hidden_by_a_split_phase_is_not_to_blame() {
    // Thread 0 works between notify and wait; thread 1 notifies at 40 and 0 waits from 30 on.
    let mut streams = vec![stream(), stream()];
    streams[0].operation(10, 10, Operation::Notify, FILE, 5);
    streams[0].call(10, "inside", FILE, 60).leave(30);
    streams[0].operation(30, 42, Operation::Wait, FILE, 7);
    streams[1].call(0, "f", FILE, 50).leave(40);
    streams[1].operation(40, 40, Operation::Notify, FILE, 5);
    streams[1].operation(41, 42, Operation::Wait, FILE, 7);
    for stream in &mut streams {
        stream.leave(42);
    }
    let a = analyse(&streams);
    assert_eq!(total(&a, "split_phase_wait"), 10.0);
    is(&values(&a, "delay"), &[("f", 1, 10.0)]);
}

#[test]
fn threads_that_disagree_have_a_critical_path_all_the_same() {
    // Thread 1 never comes to the second barrier: what was before it is matched, the rest is each
    // thread's own.
    let mut streams = vec![stream(), stream()];
    phase(&mut streams[0], "f", (0, 10, 51), 5);
    phase(&mut streams[1], "f", (0, 50, 51), 5);
    phase(&mut streams[0], "g", (51, 60, 100), 6);
    streams[0].leave(100);
    streams[1].call(51, "h", FILE, 80).leave(70).leave(70);
    let a = analyse(&streams);
    assert_eq!(total(&a, "critical_path"), 100.0);
    is(&values(&a, "delay"), &[("f", 1, 40.0)]);
}

#[test]
fn findings_say_when_a_thread_came_late_because_it_had_waited() {
    // In each round thread 0 makes thread 1 wait for a lock, and so thread 1 makes all others wait
    // at the barrier.
    let threads: usize = 8;
    let mut streams = vec![stream(); threads];
    for round in 0..10u64 {
        let now = round * 200;
        for (thread, stream) in streams.iter_mut().enumerate() {
            let arrival = match thread {
                0 => {
                    stream
                        .begin(now, Operation::Lock, FILE, 5, lock(3))
                        .leave(now);
                    stream.call(now, "hold", FILE, 70).leave(now + 90);
                    stream
                        .begin(now + 90, Operation::Unlock, FILE, 8, lock(3))
                        .leave(now + 90);
                    now + 90
                }
                1 => {
                    stream
                        .begin(now + 1, Operation::Lock, FILE, 5, lock(3))
                        .leave(now + 90);
                    stream
                        .begin(now + 92, Operation::Unlock, FILE, 8, lock(3))
                        .leave(now + 92);
                    now + 92
                }
                _ => now + 5,
            };
            stream.operation(arrival, now + 200, Operation::Barrier, FILE, 20);
        }
    }
    for stream in &mut streams {
        stream.leave(2000);
    }
    let a = analyse(&streams);
    let wait = a.summary.findings.iter();
    let wait = wait
        .into_iter()
        .find(|f| f.metric == "wait_at_barrier")
        .unwrap();
    // The barrier itself takes more, which is no finding of its own.
    let of_barriers = a
        .summary
        .findings
        .iter()
        .filter(|f| f.metric.contains("barrier"));
    assert_eq!(of_barriers.count(), 1);
    assert_eq!(wait.culprit_thread, Some(1));
    assert!(
        wait.cause
            .contains("It came late because it had waited itself, for thread 0"),
        "{}",
        wait.cause
    );
    assert!(
        wait.cause.contains("computing in hold (a.upc:70)"),
        "{}",
        wait.cause
    );
    assert!(
        wait.advice.contains("thread 0 less of the work in hold"),
        "{}",
        wait.advice
    );
    // Rounds take 92 seconds to the barrier. With hold divided among eight threads, all come after
    // 5 and 11.25 more.
    assert_eq!(wait.saves_seconds, Some(757.5));
}

#[test]
fn all_that_wait_for_one_another_are_distinguished() {
    // A chain of scatters: 0 sends to all, but only 1 is early; then 1 sends, and 2 is early.
    let mut streams = vec![stream(), stream(), stream()];
    let scatter = |stream: &mut StreamBuilder, root: ThreadId, enter, leave| {
        stream.begin(enter, Operation::Scatter, FILE, 7 + root, Attributes::None);
        let exit = collective(Some(root), SyncMode::Mine, SyncMode::None);
        stream.exit(leave, exit);
    };
    streams[0].call(0, "f", FILE, 50).leave(100);
    scatter(&mut streams[0], 0, 100, 100);
    scatter(&mut streams[0], 1, 120, 120);
    scatter(&mut streams[1], 0, 0, 100);
    scatter(&mut streams[1], 1, 110, 110);
    scatter(&mut streams[2], 0, 100, 100);
    scatter(&mut streams[2], 1, 100, 110);
    for stream in &mut streams {
        stream.leave(121);
    }
    let a = analyse(&streams);
    assert_eq!(total(&a, "late_broadcast"), 100.0 + 10.0);
    // Thread 2 waited for 10: thread 1 had waited for 100 since they began, and thread 2, in main
    // for 100, not at all.
    is(&values(&a, "delay_short_term"), &[("f", 0, 100.0)]);
    is(&values(&a, "delay_long_term"), &[("f", 0, 10.0)]);
}

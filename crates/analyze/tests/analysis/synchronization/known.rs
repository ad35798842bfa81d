//! Programs of which it is known which synchronisation they need.

use SyncMode::{All, Mine, None as NoSync};
use pgas_earl::StreamBuilder;
use pgas_result::summary::FindingKind;
use pgas_result::synchronization::AdviceKind;
use pgas_result::withheld::BlindSpotKind;
use pgas_trace::model::{Attributes, Operation, SyncMode};

use super::steps::{Step::*, *};
use crate::common::{FILE, analyse};

#[test]
fn a_barrier_beside_a_collective_makes_its_mode_unnecessary() {
    // Remote accesses on the other sides, so that the barriers are needed.
    let around = |middle: Step| {
        [
            Remote,
            Barrier(10),
            middle,
            Barrier(12),
            Remote,
            Barrier(14),
        ]
    };
    let all = around(Collective(11, REDUCE, All, All));
    assert_eq!(
        of(&all),
        [
            entry(11, "NOSYNC", Some(10), 1),
            exit(11, "NOSYNC", Some(12), 1)
        ]
    );
    let mine = around(Collective(11, REDUCE, Mine, Mine));
    assert_eq!(of(&mine), of(&all));
    assert_eq!(of(&around(Collective(11, REDUCE, NoSync, NoSync))), []);
    // With something between, on one side.
    for between in [Own, Remote, Critical, Allocate, Free, Fence] {
        let before = [
            Remote,
            Barrier(10),
            between.clone(),
            Collective(11, REDUCE, Mine, Mine),
            Barrier(12),
            Remote,
            Barrier(14),
        ];
        assert_eq!(
            of(&before),
            [exit(11, "NOSYNC", Some(12), 1)],
            "{between:?}"
        );
        let after = [
            Remote,
            Barrier(10),
            Collective(11, REDUCE, Mine, Mine),
            between.clone(),
            Barrier(12),
            Remote,
            Barrier(14),
        ];
        assert_eq!(
            of(&after),
            [entry(11, "NOSYNC", Some(10), 1)],
            "{between:?}"
        );
    }
}

#[test]
fn work_between_is_not_beside() {
    let steps = [
        Remote,
        Barrier(10),
        Compute(1),
        Collective(11, REDUCE, All, NoSync),
        Barrier(12),
        Remote,
        Barrier(14),
    ];
    // Accesses of the computation to own data through pointers to private are unknown;
    // UPC_IN_MYSYNC allows them.
    assert_eq!(of(&steps), [entry(11, "MYSYNC", None, 1)]);
}

#[test]
fn one_access_by_one_thread_in_one_of_a_thousand_instances_refutes() {
    let loops = |odd: Option<(usize, usize)>| {
        let streams = program(3, |thread| {
            let mut steps = Vec::new();
            for round in 0..1000 {
                steps.extend([Remote, Barrier(10)]);
                if odd == Some((thread, round)) {
                    steps.push(Remote);
                }
                steps.extend([Collective(11, REDUCE, All, All), Remote]);
            }
            steps.push(Barrier(14));
            steps
        });
        advice(&analyse(&streams))
    };
    assert_eq!(loops(None), [entry(11, "NOSYNC", Some(10), 1000)]);
    assert_eq!(loops(Some((1, 617))), []);
}

#[test]
fn a_sum_of_own_values_needs_no_more_than_mysync() {
    let mut steps = Vec::new();
    for _ in 0..50 {
        steps.extend([Own, Compute(9), Collective(11, REDUCE, All, All)]);
    }
    let found = of(&steps);
    assert_eq!(
        found,
        [entry(11, "MYSYNC", None, 50), exit(11, "MYSYNC", None, 49)]
    );
    // Every thread waits for every other one in these, whatever the mode.
    let mut steps = Vec::new();
    for _ in 0..50 {
        steps.extend([
            Own,
            Compute(9),
            Collective(11, Operation::Exchange, All, All),
        ]);
    }
    assert_eq!(of(&steps), []);
}

#[test]
fn a_mode_that_others_data_rests_on_stays() {
    // The reads after the operation see what others wrote before it: one of the two sides must wait
    // for all.
    let mut steps = Vec::new();
    for _ in 0..5 {
        steps.extend([
            Own,
            Compute(2),
            Collective(11, REDUCE, All, All),
            Remote,
            Barrier(12),
        ]);
    }
    assert_eq!(of(&steps), [entry(11, "MYSYNC", None, 5)]);
    let mut steps = Vec::new();
    for _ in 0..5 {
        steps.extend([
            Own,
            Compute(2),
            Collective(11, REDUCE, All, Mine),
            Remote,
            Barrier(12),
        ]);
    }
    assert_eq!(of(&steps), []);
}

#[test]
fn a_barrier_between_work_on_own_data_is_a_candidate() {
    let round = [
        Own,
        Compute(5),
        Barrier(10),
        Own,
        Allocate,
        Fence,
        Barrier(12),
        Remote,
        Barrier(14),
    ];
    let steps: Vec<Step> = [Barrier(9)]
        .into_iter()
        .chain(round.into_iter().cycle().take(90))
        .collect();
    // Barriers 9 and 14 stand before own work and after remote reads; 12 between own work and
    // remote reads.
    assert_eq!(
        of(&steps),
        [
            (AdviceKind::OwnDataBarrier, 9, None, None, 1),
            (AdviceKind::OwnDataBarrier, 10, None, None, 10),
        ]
    );
}

#[test]
fn every_barrier_of_a_halo_exchange_is_needed() {
    let steps: Vec<Step> = [Own, Barrier(10), Remote, Barrier(12)]
        .into_iter()
        .cycle()
        .take(100)
        .collect();
    assert_eq!(of(&steps), []);
}

#[test]
fn what_cannot_be_seen_keeps_a_barrier() {
    for step in [
        Critical,
        Free,
        Off(0),
        Off(1),
        Collective(11, Operation::Broadcast, NoSync, Mine),
        Collective(11, Operation::Broadcast, Mine, All),
    ] {
        for position in [1, 2] {
            let mut steps = vec![Own, Barrier(10), Own, Barrier(12), Own, Barrier(14), Remote];
            steps.insert(2 * position, step.clone());
            let found = of(&steps);
            let line = [10, 12][position - 1];
            assert!(
                found
                    .iter()
                    .all(|advice| advice.1 != line && advice.0 != AdviceKind::RepeatedBarrier),
                "{step:?}: {found:?}"
            );
        }
    }
}

#[test]
fn of_two_barriers_in_a_row_one_can_go() {
    let steps: Vec<Step> = [Remote, Barrier(10), Barrier(11)]
        .into_iter()
        .cycle()
        .take(30)
        .collect();
    assert_eq!(
        of(&steps),
        [(AdviceKind::RepeatedBarrier, 11, None, Some(10), 10)]
    );
    // A line of source between, which may touch data in a way that is not seen.
    let steps: Vec<Step> = [Remote, Barrier(10), Barrier(12)]
        .into_iter()
        .cycle()
        .take(30)
        .collect();
    assert_eq!(of(&steps), []);
    for between in [Own, Remote, Critical, Allocate, Compute(1)] {
        let steps: Vec<Step> = [Remote, Barrier(10), between, Barrier(11)]
            .into_iter()
            .cycle()
            .take(40)
            .collect();
        assert_eq!(of(&steps), []);
    }
}

#[test]
fn work_within_a_split_barrier_belongs_to_both_sides() {
    let own = [Own, Split(10, vec![Own]), Own, Barrier(12), Remote];
    assert_eq!(of(&own), [(AdviceKind::OwnDataBarrier, 20, None, None, 1)]);
    let remote = [
        Own,
        Split(10, vec![Remote]),
        Own,
        Barrier(12),
        Own,
        Barrier(13),
        Own,
        Barrier(14),
    ];
    assert_eq!(
        of(&remote),
        [(AdviceKind::OwnDataBarrier, 13, None, None, 1)]
    );
    // Nothing lies between the wait and the operation, but the remote reads may still be under way
    // elsewhere.
    let beside = [
        Split(10, vec![Remote]),
        Collective(11, REDUCE, Mine, NoSync),
        Remote,
        Barrier(12),
    ];
    assert_eq!(of(&beside), []);
}

#[test]
fn threads_at_different_places_do_not_share_a_barrier() {
    let streams = program(2, |thread| {
        vec![
            Own,
            Barrier(10 + thread as u32),
            Own,
            Barrier(14),
            Remote,
            Barrier(15),
        ]
    });
    assert_eq!(advice(&analyse(&streams)), []);
}

#[test]
fn one_thread_alone_gets_no_advice() {
    let steps = vec![
        Own,
        Barrier(10),
        Collective(11, REDUCE, All, All),
        Barrier(12),
    ];
    assert_eq!(advice(&analyse(&program(1, |_| steps.clone()))), []);
}

#[test]
fn threads_that_disagree_end_the_search() {
    let streams = program(2, |thread| {
        let other = match thread {
            0 => Barrier(12),
            _ => Collective(12, REDUCE, All, All),
        };
        vec![
            Own,
            Barrier(10),
            Own,
            other,
            Own,
            Barrier(14),
            Own,
            Barrier(16),
        ]
    });
    assert_eq!(advice(&analyse(&streams)), []);
}

#[test]
fn a_trace_that_is_cut_on_one_thread_says_nothing() {
    let streams = program(2, |thread| {
        let mut steps = vec![Own, Barrier(10), Own, Barrier(11), Own];
        if thread == 0 {
            steps.extend([Barrier(12), Own, Barrier(13), Own]);
        }
        steps
    });
    let analysis = analyse(&streams);
    assert_eq!(advice(&analysis), []);
    assert_eq!(reasons(&analysis), [BlindSpotKind::Unmatched]);
}

/// The instances of a line that were not recorded go with those that were.
#[test]
fn nothing_is_judged_where_recording_was_off_anywhere() {
    for barriers in [0, 1] {
        let streams = program(2, |thread| {
            let mut steps = vec![Own, Barrier(10), Own, Barrier(10), Own];
            steps.push(match thread {
                0 => Off(barriers),
                _ if barriers == 0 => Own,
                _ => Barrier(10),
            });
            steps.push(Barrier(10));
            steps
        });
        let analysis = analyse(&streams);
        assert_eq!(advice(&analysis), []);
        assert!(reasons(&analysis).contains(&BlindSpotKind::Paused));
    }
}

/// Two callers of one line: what one of them needs stays for both.
#[test]
fn all_callers_of_a_line_must_agree() {
    let stream = |thread: u32, other: bool| {
        let mut stream = StreamBuilder::new();
        stream.call(0, "main", FILE, 1);
        let mut now = 0;
        for round in 0..20 {
            let caller = if round % 2 == 0 { "f" } else { "g" };
            stream.operation(now, now + 1, Operation::Barrier, FILE, 50);
            stream.call(now + 1, caller, FILE, 60);
            stream.operation(now + 1, now + 10_000, Operation::Barrier, FILE, 70);
            stream.leave(now + 10_000);
            if other && round % 2 == 1 {
                let from = Attributes::transfer(1 - thread, 8);
                let time = now + 10_000;
                stream
                    .begin(time, Operation::Get, FILE, 90, from)
                    .leave(time);
            }
            stream.operation(now + 10_000, now + 10_001, Operation::Barrier, FILE, 51);
            now += 10_001;
        }
        stream.leave(now);
        stream
    };
    let lines = |other| -> Vec<u32> {
        let streams = [stream(0, other), stream(1, other)];
        advice(&analyse(&streams)).iter().map(|a| a.1).collect()
    };
    assert_eq!(lines(false), [50, 51, 70, 70]);
    assert_eq!(lines(true), [50]);
}

/// Why something was withheld.
fn reasons(analysis: &pgas_analyze::Analysis) -> Vec<BlindSpotKind> {
    let all = analysis.summary.withheld.iter();
    let mut kinds: Vec<_> = all.flat_map(|w| &w.reasons).map(|r| r.kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn the_finding_says_what_it_rests_on_and_what_it_saves() {
    let streams: Vec<StreamBuilder> = (0..2)
        .map(|thread: u64| {
            let mut stream = StreamBuilder::new();
            stream.call(0, "main", FILE, 1);
            for round in 0..10 {
                let start = 100 * round;
                stream.operation(
                    start + 10 + 30 * thread,
                    start + 50,
                    Operation::Barrier,
                    FILE,
                    7,
                );
            }
            stream.operation(1000, 1001, Operation::Barrier, FILE, 9);
            stream.leave(1001);
            stream
        })
        .collect();
    let analysis = analyse(&streams);
    let of_kind = |f: &&pgas_result::summary::Finding| f.kind == FindingKind::RemovableBarrier;
    let found: Vec<_> = analysis.summary.findings.iter().filter(of_kind).collect();
    assert_eq!(found.len(), 1);
    let finding = found[0];
    assert_eq!(
        (finding.metric.as_str(), finding.line),
        ("wait_at_barrier", 7)
    );
    // Thread 0 waits 30 each time for thread 1, which needs 10 to leave. The work of thread 1
    // stays.
    assert_eq!(
        (finding.seconds, finding.saves_seconds),
        (300.0, Some(100.0))
    );
    assert!(
        finding
            .cause
            .starts_with("In all 10 instances each thread touched only its own"),
        "{}",
        finding.cause
    );
    assert!(
        finding.advice.contains("Try to leave it out"),
        "{}",
        finding.advice
    );
}

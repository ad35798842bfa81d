//! Barriers that the addresses of accesses show to be needed, or not: programs of which it is
//! known, and random ones against a computation on single bytes of the whole program.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{FILE, analyse, analyse_in};
use pgas_analyze::Analysis;
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_result::synchronization::AdviceKind;
use pgas_trace::model::{Attributes, Operation};
use proptest::prelude::*;

/// Access of a thread between two barriers: whether it writes, owner, address, number of bytes.
type Access = (bool, u32, u64, u64);

/// One stretch of a program: by thread what it accesses, and the line of the barrier that ends it.
type Phase = (Vec<Vec<Access>>, u32);

fn streams(threads: usize, phases: &[Phase]) -> Vec<StreamBuilder> {
    let stream = |thread: usize| {
        let mut stream = StreamBuilder::new();
        let mut now = 0;
        stream.call(now, "main", FILE, 1);
        for (accesses, line) in phases {
            for &(is_write, owner, address, bytes) in &accesses[thread] {
                let operation = if is_write {
                    Operation::Memput
                } else {
                    Operation::Memget
                };
                let transfer = Attributes::transfer_at(owner, bytes, address);
                stream.begin(now, operation, FILE, 90, transfer).leave(now);
            }
            stream.operation(now, now + 1, Operation::Barrier, FILE, *line);
            now += 1;
        }
        stream.leave(now);
        stream
    };
    (0..threads).map(stream).collect()
}

/// Lines of barriers that addresses show not to be needed, and for how many instances.
fn unrelated(analysis: &Analysis) -> BTreeMap<u32, u64> {
    let all = analysis
        .summary
        .synchronization
        .iter()
        .flat_map(|s| &s.advice);
    all.filter(|advice| advice.kind == AdviceKind::UnrelatedBarrier)
        .map(|advice| {
            (
                analysis.cube.call_paths[advice.call_path].line,
                advice.instances,
            )
        })
        .collect()
}

fn of(phases: &[Phase]) -> BTreeMap<u32, u64> {
    unrelated(&analyse(&streams(2, phases)))
}

const WRITE: bool = true;
const READ: bool = false;

/// Each of two threads writes its own data at an address.
fn own(address: u64) -> Vec<Vec<Access>> {
    (0..2)
        .map(|thread| vec![(WRITE, thread, address, 8)])
        .collect()
}

/// Each of two threads reads the other's data at an address.
fn others(address: u64) -> Vec<Vec<Access>> {
    (0..2)
        .map(|thread| vec![(READ, 1 - thread, address, 8)])
        .collect()
}

#[test]
fn work_on_other_data_needs_no_barrier() {
    // After each barrier but 10 another thread's data is touched, or was before, but not what lies
    // on its other side.
    let phases: Vec<Phase> = (0..10)
        .flat_map(|_| {
            [
                (own(100), 10),
                (own(200), 20),
                (others(100), 30),
                (others(200), 40),
            ]
        })
        .collect();
    assert_eq!(of(&phases), BTreeMap::from([(20, 10), (30, 10), (40, 9)]));
}

#[test]
fn every_barrier_of_a_halo_exchange_is_needed() {
    let phases: Vec<Phase> = (0..10)
        .flat_map(|_| [(own(100), 10), (others(100), 20)])
        .collect();
    assert_eq!(of(&phases), BTreeMap::new());
    // With a single byte in common.
    let read = |from: u64| (0..2).map(|t| vec![(READ, 1 - t, from, 8)]).collect();
    let phases: Vec<Phase> = (0..10)
        .flat_map(|_| [(own(107), 10), (read(100), 20)])
        .collect();
    assert_eq!(of(&phases), BTreeMap::new());
}

#[test]
fn all_instances_of_a_barrier_go_together() {
    // Two buffers in turn: a round does not meet the round before, but the one before that.
    let round = |round: u64| {
        let (mine, theirs) = (100 + 100 * (round % 2), 100 + 100 * ((round + 1) % 2));
        (0..2)
            .map(|thread| vec![(READ, 1 - thread, theirs, 8), (WRITE, thread, mine, 8)])
            .collect::<Vec<Vec<Access>>>()
    };
    let phases: Vec<Phase> = (0..12).map(|number| (round(number), 10)).collect();
    assert_eq!(of(&phases), BTreeMap::new());
}

#[test]
fn data_that_must_have_been_touched_unseen_is_known_to_be_unknown() {
    // Nobody is seen to write what is read: owners do so through pointers to private.
    let phases: Vec<Phase> = (0..10)
        .flat_map(|_| [(own(300), 10), (others(100), 20), (own(300), 30)])
        .collect();
    assert_eq!(of(&phases), BTreeMap::new());
    // Or to read what is written.
    let put = |address: u64| {
        (0..2)
            .map(|t| vec![(WRITE, 1 - t, address, 8)])
            .collect::<Vec<Vec<Access>>>()
    };
    let phases: Vec<Phase> = (0..10)
        .flat_map(|_| [(own(300), 10), (put(100), 20), (own(300), 30)])
        .collect();
    assert_eq!(of(&phases), BTreeMap::new());
}

#[test]
fn an_access_without_address_keeps_its_barriers() {
    let phases = |address: u64| -> Vec<Phase> {
        let mut all: Vec<Phase> = (0..10)
            .flat_map(|_| {
                [
                    (own(100), 10),
                    (own(200), 20),
                    (others(100), 30),
                    (others(200), 40),
                ]
            })
            .collect();
        // Before one of the instances of 30.
        all[26].0[1].push((READ, 1, address, 8));
        all
    };
    assert_eq!(
        of(&phases(500)),
        BTreeMap::from([(20, 10), (30, 10), (40, 9)])
    );
    assert_eq!(of(&phases(0)), BTreeMap::from([(40, 9)]));
}

#[test]
fn barriers_that_come_after_many_needed_ones_are_not_judged() {
    let late = |rounds: usize| -> Vec<Phase> {
        let needed = (0..rounds).flat_map(|_| [(own(100), 10), (others(100), 20)]);
        let spare = [
            (own(100), 10),
            (own(200), 20),
            (others(100), 30),
            (others(200), 40),
            (own(300), 50),
        ];
        needed.chain(spare).collect()
    };
    assert!(of(&late(10)).contains_key(&30));
    assert_eq!(of(&late(100)), BTreeMap::new());
}

#[test]
fn a_million_scattered_places_are_enough_memory_and_no_claim() {
    // Every fourth word of much memory: coarser blocks contain words of the others.
    let scattered = |write: bool| -> Vec<Vec<Access>> {
        let place = |t: u32, i: u64| (write, 0, 64 + 1024 * i + 512 * u64::from(t), 8);
        (0..2)
            .map(|t| (0..20_000).map(|i| place(t, i)).collect())
            .collect()
    };
    let phases = vec![
        (scattered(WRITE), 10),
        (scattered(READ), 20),
        (scattered(WRITE), 30),
    ];
    assert_eq!(of(&phases), BTreeMap::new());
}

/// The same from single bytes.
fn expected(threads: usize, phases: &[Phase]) -> BTreeMap<u32, u64> {
    let bytes = |access: &Access| {
        let &(_, owner, begin, length) = access;
        (begin..begin + length).map(move |byte| (owner, byte))
    };
    // Threads whose data was touched unseen.
    let mut hidden = BTreeSet::new();
    let (mut fresh, mut unread) = (BTreeSet::new(), BTreeSet::new());
    for (accesses, _) in phases {
        let all = || {
            let numbered = accesses.iter().enumerate();
            numbered.flat_map(|(thread, all)| all.iter().map(move |access| (thread as u32, access)))
        };
        for (thread, access) in all().filter(|(thread, access)| *thread != access.1) {
            let unseen = match access.0 {
                READ => bytes(access).any(|byte| !fresh.contains(&byte)),
                WRITE => bytes(access).any(|byte| unread.contains(&byte)),
            };
            assert_ne!(thread, access.1);
            if unseen {
                hidden.insert(access.1);
            }
        }
        for (thread, access) in all().filter(|(_, access)| access.0 == READ) {
            for byte in bytes(access) {
                unread.remove(&byte);
                if thread != access.1 {
                    fresh.remove(&byte);
                }
            }
        }
        for (thread, access) in all().filter(|(_, access)| access.0 == WRITE) {
            fresh.extend(bytes(access));
            if thread != access.1 {
                unread.extend(bytes(access));
            }
        }
    }
    hidden.extend(unread.iter().map(|&(owner, _)| owner));

    let lines: BTreeSet<u32> = phases.iter().map(|phase| phase.1).collect();
    let mut found = BTreeMap::new();
    'lines: for line in lines {
        let mut instances = 0;
        let mut all_own = true;
        for at in (0..phases.len()).filter(|&at| phases[at].1 == line) {
            let remote = |phase: &Phase| {
                let numbered = phase.0.iter().enumerate();
                numbered
                    .flat_map(|(t, all)| all.iter().filter(move |a| a.1 != t as u32))
                    .count()
                    > 0
            };
            all_own &= !remote(&phases[at]);
            if at + 1 == phases.len() {
                continue;
            }
            instances += 1;
            all_own &= !remote(&phases[at + 1]);
            let first = phases[..at]
                .iter()
                .rposition(|phase| phase.1 != line)
                .map_or(0, |p| p + 1);
            for before in &phases[first..=at] {
                for (s, t) in (0..threads).flat_map(|s| (0..threads).map(move |t| (s, t))) {
                    for a in &before.0[s] {
                        for b in &phases[at + 1].0[t] {
                            let meet = bytes(a).any(|byte| bytes(b).any(|other| other == byte));
                            if s != t && (a.0 || b.0) && meet {
                                continue 'lines;
                            }
                        }
                    }
                }
            }
            for (t, access) in [&phases[first..=at], &phases[at + 1..at + 2]]
                .into_iter()
                .flatten()
                .flat_map(|phase| phase.0.iter().enumerate())
                .flat_map(|(t, all)| all.iter().map(move |access| (t, access)))
            {
                if t as u32 != access.1 && hidden.contains(&access.1) {
                    continue 'lines;
                }
            }
        }
        if instances > 0 && !all_own {
            found.insert(line, instances);
        }
    }
    found
}

/// Data moves from place to place in turn, so that some of it is written, read and written again.
fn phases(threads: usize) -> impl Strategy<Value = Vec<Phase>> {
    let access = (any::<bool>(), 0..threads as u32, 1u64..4, 1u64..3)
        .prop_map(|(is_write, owner, place, length)| (is_write, owner, 4 * place, length));
    let lists = prop::collection::vec(prop::collection::vec(access, 0..2), threads);
    let line = prop::sample::select(vec![10u32, 20, 30]);
    prop::collection::vec((lists, line), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn single_bytes_say_the_same((threads, phases) in (2usize..4).prop_flat_map(|n| (Just(n), phases(n))), events in 1u64..20) {
        let streams = streams(threads, &phases);
        let analysis = analyse(&streams);
        prop_assert_eq!(unrelated(&analysis), expected(threads, &phases));
        let other = analyse_in(&streams, Stretch { events, per_thread: events });
        prop_assert_eq!(&analysis.summary, &other.summary);
    }
}

/// The random programs are a test of the advice only if they get it.
#[test]
fn some_random_programs_have_a_barrier_too_many() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = phases(2);
    let programs = (0..2000).map(|_| strategy.new_tree(&mut runner).expect("a program").current());
    let with_advice = programs
        .filter(|phases| !expected(2, phases).is_empty())
        .count();
    assert!(with_advice > 10, "{with_advice}");
}

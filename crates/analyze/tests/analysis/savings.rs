//! Compares the savings that the replay predicts for each loss with the length of the same program
//! simulated without that loss.

use std::collections::BTreeMap;

use crate::common::{FILE, analyse, find, lock};
use pgas_analyze::delay::Loss;
use pgas_analyze::search::{Found, Stretch};
use pgas_earl::{PathId, StreamBuilder};
use pgas_result::summary::FindingKind;
use pgas_trace::model::{Attributes, Operation};
use proptest::prelude::*;

/// One step of a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    /// Computes in a function for some ticks.
    Work(&'static str, u64),
    /// Gets something, at a line.
    Get(u32, u64),
    /// Waits for all others at a barrier at a line, which then takes one tick.
    Barrier(u32),
    /// Computes in a function while it has a lock.
    Locked(u64, &'static str, u64),
}

use Item::{Barrier, Get, Locked, Work};

/// How a barrier lets threads go on.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Latest,
    /// At the mean of all arrivals where the barrier is at this line.
    MeanAt(u32),
}

/// Runs a program (by thread) and returns its streams and when its last thread ends.
fn simulate(program: &[Vec<Item>], at: At) -> (Vec<StreamBuilder>, u64) {
    let threads = program.len();
    let mut streams = vec![StreamBuilder::new(); threads];
    let (mut now, mut next) = (vec![0u64; threads], vec![0; threads]);
    let mut free: BTreeMap<u64, u64> = BTreeMap::new();
    for stream in &mut streams {
        stream.call(0, "main", FILE, 1);
    }
    loop {
        let runs = |thread: &usize| {
            !matches!(program[*thread].get(next[*thread]), None | Some(Barrier(_)))
        };
        let first = (0..threads)
            .filter(runs)
            .min_by_key(|&thread| (now[thread], thread));
        let Some(thread) = first else {
            let Some(Barrier(line)) = program[0].get(next[0]) else {
                break;
            };
            let latest = now.iter().copied().max().unwrap_or(0);
            let together = match at {
                At::MeanAt(mean) if mean == *line => now.iter().sum::<u64>() / threads as u64,
                _ => latest,
            };
            for thread in 0..threads {
                assert_eq!(program[thread].get(next[thread]), Some(&Barrier(*line)));
                if at == At::Latest {
                    let (begin, end) = (now[thread], together + 1);
                    streams[thread].operation(begin, end, Operation::Barrier, FILE, *line);
                }
                now[thread] = together + 1;
                next[thread] += 1;
            }
            continue;
        };
        let (stream, begin) = (&mut streams[thread], now[thread]);
        let records = at == At::Latest;
        now[thread] = match program[thread][next[thread]] {
            Work(function, ticks) => {
                if records {
                    stream.call(begin, function, FILE, 50).leave(begin + ticks);
                }
                begin + ticks
            }
            Get(line, ticks) => {
                if records {
                    stream.operation(begin, begin + ticks, Operation::Memget, FILE, line);
                }
                begin + ticks
            }
            Locked(id, function, ticks) => {
                let has = begin.max(free.get(&id).copied().unwrap_or(0)) + 1;
                let done = has + ticks;
                free.insert(id, done);
                if records {
                    stream.begin(begin, Operation::Lock, FILE, 30, lock(id));
                    stream.exit(has, Attributes::None);
                    stream.call(has, function, FILE, 50).leave(done);
                    stream.begin(done, Operation::Unlock, FILE, 33, lock(id));
                    stream.exit(done + 1, Attributes::None);
                }
                done + 1
            }
            Barrier(_) => unreachable!("taken by all together"),
        };
        next[thread] += 1;
    }
    let end = now.iter().copied().max().unwrap_or(0);
    for (stream, now) in streams.iter_mut().zip(now) {
        stream.leave(now);
    }
    (streams, end)
}

fn length(program: &[Vec<Item>]) -> u64 {
    simulate(program, At::Latest).1
}

fn replayed(program: &[Vec<Item>]) -> Found {
    let (streams, _) = simulate(program, At::Latest);
    let sources = streams.iter().map(StreamBuilder::source).collect();
    find(sources, Stretch::default())
}

/// The promise for the path of a function, or of an operation at a line.
fn saving(found: &Found, loss: Loss, function: &str, line: u32) -> f64 {
    let paths = found.matcher.paths();
    let is_meant = |path: &PathId| {
        paths.site(*path).is_some_and(|site| match function {
            "" => !site.operation.is_user() && site.line == line,
            function => site.region_name() == function,
        })
    };
    let all = (0..paths.len() as u32).map(PathId).filter(is_meant);
    all.map(|path| found.critical.saving(loss, path).unwrap_or(0.0))
        .sum()
}

/// The program with the items of each thread changed.
fn without(program: &[Vec<Item>], change: impl Fn(&Item) -> Option<Item>) -> Vec<Vec<Item>> {
    let items = |items: &Vec<Item>| items.iter().filter_map(&change).collect();
    program.iter().map(items).collect()
}

/// The program with what all threads do in a function between two barriers divided evenly, before
/// the second.
fn balanced(program: &[Vec<Item>], function: &str) -> Vec<Vec<Item>> {
    let threads = program.len() as u64;
    let stretches = |items: &Vec<Item>| -> Vec<Vec<Item>> {
        let mut stretches = vec![Vec::new()];
        for item in items {
            stretches.last_mut().expect("one").push(*item);
            if matches!(item, Barrier(_)) {
                stretches.push(Vec::new());
            }
        }
        stretches
    };
    let by_thread: Vec<_> = program.iter().map(stretches).collect();
    let of_function = |item: &Item| match item {
        Work(name, ticks) if *name == function => *ticks,
        _ => 0,
    };
    let mut balanced = vec![Vec::new(); program.len()];
    for number in 0..by_thread[0].len() {
        let all = by_thread.iter().flat_map(|stretches| &stretches[number]);
        let share = all.map(of_function).sum::<u64>() / threads;
        for (items, stretches) in balanced.iter_mut().zip(&by_thread) {
            let own = stretches[number].iter();
            let mut own: Vec<Item> = own.filter(|item| of_function(item) == 0).copied().collect();
            let end = own.len() - usize::from(matches!(own.last(), Some(Barrier(_))));
            own.insert(end, Work("share", share));
            items.extend(own);
        }
    }
    balanced
}

#[test]
fn work_of_two_threads_is_divided_and_not_gone() {
    let program = [
        vec![Work("f", 193), Barrier(7)],
        vec![Work("f", 580), Barrier(7)],
    ];
    let found = replayed(&program);
    assert_eq!(saving(&found, Loss::Time, "f", 0), 193.5);
    assert_eq!(saving(&found, Loss::Lateness, "", 7), 193.5);
    let analysis = analyse(&simulate(&program, At::Latest).0);
    let first = &analysis.summary.findings[0];
    assert_eq!(
        (first.metric.as_str(), first.seconds),
        ("wait_at_barrier", 387.0)
    );
    assert_eq!(first.saves_seconds, Some(193.5));
}

#[test]
fn of_four_threads_the_excess_over_the_mean_is_saved() {
    let program: Vec<_> = [100, 120, 140, 440]
        .map(|ticks| [Work("f", ticks), Work("g", 50), Barrier(7)].repeat(10))
        .into();
    let found = replayed(&program);
    assert_eq!(saving(&found, Loss::Time, "f", 0), 10.0 * (440.0 - 200.0));
    assert_eq!(
        saving(&found, Loss::Lateness, "", 7),
        10.0 * (440.0 - 200.0)
    );
    assert_eq!(saving(&found, Loss::Time, "g", 0), 0.0);
}

/// Giving one thread less would save nothing: a finer division would.
#[test]
fn work_that_is_late_in_turn_is_balanced_round_by_round() {
    let rounds = |thread: usize| -> Vec<Item> {
        let round = |round: usize| {
            [
                Work("f", if round % 2 == thread { 300 } else { 100 }),
                Barrier(7),
            ]
        };
        (0..10usize).flat_map(round).collect()
    };
    let found = replayed(&[rounds(0), rounds(1)]);
    assert_eq!(saving(&found, Loss::Time, "f", 0), 1000.0);
    let threads = found
        .critical
        .imbalance
        .values()
        .copied()
        .fold(0.0, f64::max);
    assert_eq!(threads, 1000.0, "of which the critical path has the same");
}

/// Work that is late in turn is a matter of the waiting at the barrier; as an imbalance between
/// threads it is no larger than what one thread has more of it than the mean in the whole run.
#[test]
fn an_imbalance_promises_no_more_than_the_longest_thread_exceeds_the_mean() {
    let rounds = |thread: usize| -> Vec<Item> {
        let ticks = |round: usize| if round % 2 == thread { 300 } else { 100 };
        (0..10)
            .flat_map(|round| [Work("f", ticks(round)), Barrier(7 + round as u32 / 5)])
            .collect()
    };
    let mut longer = rounds(0);
    longer.push(Work("f", 20));
    let program = [longer, rounds(1)];
    let found = replayed(&program);
    assert!(saving(&found, Loss::Time, "f", 0) > 900.0);
    let analysis = analyse(&simulate(&program, At::Latest).0);
    let mut findings = analysis.summary.findings.iter();
    let imbalance = findings.find(|finding| finding.kind == FindingKind::Imbalance);
    let imbalance = imbalance.expect("f takes thread 0 longer");
    assert_eq!(imbalance.region, "f");
    assert_eq!(imbalance.saves_seconds, Some(10.0));
}

#[test]
fn waiting_that_only_moves_to_the_next_barrier_saves_nothing() {
    let program = [
        [Work("f", 100), Barrier(7), Work("g", 50), Barrier(9)].repeat(5),
        [Work("f", 400), Barrier(7), Work("g", 50), Barrier(9)].repeat(5),
    ];
    let found = replayed(&program);
    // The barrier's own tick is saved, no more.
    assert_eq!(saving(&found, Loss::Waiting, "", 7), 5.0);
    // Where threads are late in turn, the two rounds become one.
    let program = [
        [Work("f", 100), Barrier(7), Work("g", 400), Barrier(9)].repeat(5),
        [Work("f", 400), Barrier(7), Work("g", 100), Barrier(9)].repeat(5),
    ];
    let found = replayed(&program);
    assert_eq!(saving(&found, Loss::Waiting, "", 7), 5.0 * 301.0);
}

#[test]
fn a_transfer_off_the_critical_path_saves_nothing() {
    let program = [
        [Get(20, 200), Work("f", 100), Barrier(7)].repeat(5),
        [Get(21, 20), Work("f", 400), Barrier(7)].repeat(5),
    ];
    let found = replayed(&program);
    assert_eq!(saving(&found, Loss::Time, "", 20), 0.0);
    assert_eq!(saving(&found, Loss::Time, "", 21), 100.0);
}

#[test]
fn threads_queue_for_a_lock_and_would_not_for_several() {
    let program: Vec<_> = (0..4)
        .map(|_| vec![Locked(1, "f", 100), Barrier(7)])
        .collect();
    let found = replayed(&program);
    let separate: Vec<_> = (0..4)
        .map(|t| vec![Locked(t, "f", 100), Barrier(7)])
        .collect();
    let gained = (length(&program) - length(&separate)) as f64;
    assert_eq!(saving(&found, Loss::Waiting, "", 30), gained);
    // Half as long under the lock, and the queue is shorter for all.
    assert_eq!(saving(&found, Loss::Waiting, "", 7), 1.0);
}

#[test]
fn in_a_pipeline_the_longest_stage_decides() {
    // Each thread hands on to the next by a lock that it takes after it.
    let stage = |thread: u64, ticks| -> Vec<Item> {
        let one = [
            Locked(0, "pass", 1),
            Work("f", ticks),
            Locked(thread, "pass", 1),
        ];
        one.repeat(3).into_iter().chain([Barrier(7)]).collect()
    };
    let program = [stage(1, 100), stage(2, 100), stage(3, 900)];
    let found = replayed(&program);
    let saved = saving(&found, Loss::Time, "f", 0);
    let gained = (length(&program) - length(&balanced(&program, "f"))) as f64;
    assert!((saved - gained).abs() <= 15.0, "{saved} {gained}");
}

fn items() -> impl Strategy<Value = Item> {
    prop_oneof![
        (0u64..4000).prop_map(|ticks| Work("f", ticks)),
        (0u64..4000).prop_map(|ticks| Work("g", ticks)),
        (0u64..1000).prop_map(|ticks| Get(20, ticks)),
        (0u64..1000).prop_map(|ticks| Get(21, ticks)),
    ]
}

/// Programs of rounds that end with one of two barriers.
fn programs() -> impl Strategy<Value = Vec<Vec<Item>>> {
    (1usize..6, prop::collection::vec(prop::bool::ANY, 0..8)).prop_flat_map(
        |(threads, barriers)| {
            let stretch = || prop::collection::vec(items(), 0..4);
            let stretches = prop::collection::vec(stretch(), barriers.len() + 1);
            prop::collection::vec(stretches, threads).prop_map(move |program| {
                let thread = |stretches: Vec<Vec<Item>>| -> Vec<Item> {
                    let ends = barriers
                        .iter()
                        .map(|&first| Some(Barrier(if first { 7 } else { 9 })));
                    let all = stretches.into_iter().zip(ends.chain([None]));
                    all.flat_map(|(items, end)| items.into_iter().chain(end))
                        .collect()
                };
                program.into_iter().map(thread).collect()
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_changed_program_is_as_long_as_promised(program in programs()) {
        let found = replayed(&program);
        let before = length(&program) as f64;
        let threads = program.len() as f64;
        let rounds = program[0].iter().filter(|item| matches!(item, Barrier(_))).count() as f64 + 1.0;
        let gained = |program: &[Vec<Item>]| before - length(program) as f64;
        for line in [20, 21] {
            let changed = without(&program, |item| match item {
                Get(at, _) if *at == line => None,
                item => Some(*item),
            });
            prop_assert_eq!(saving(&found, Loss::Time, "", line), gained(&changed));
        }
        for function in ["f", "g"] {
            let promised = saving(&found, Loss::Time, function, 0);
            let gained = gained(&balanced(&program, function)).max(0.0);
            prop_assert!((promised - gained).abs() <= rounds, "{function}: {promised} {gained}");
        }
        for line in [7, 9] {
            // With one thread there is nobody to wait for, only the barrier's own tick.
            let changed = without(&program, |item| match item {
                Barrier(at) if *at == line => None,
                item => Some(*item),
            });
            prop_assert_eq!(saving(&found, Loss::Waiting, "", line), gained(&changed));
            let mean = before - simulate(&program, At::MeanAt(line)).1 as f64;
            let promised = saving(&found, Loss::Lateness, "", line);
            prop_assert!((promised - mean).abs() <= rounds * threads, "{line}: {promised} {mean}");
        }
    }

    /// With locks, which are then taken in another order, it is a bound that the whole run bounds.
    #[test]
    fn no_promise_exceeds_the_run(program in programs(), locks in prop::collection::vec((0u64..2, 0u64..500), 1..20)) {
        let mut program = program;
        let threads = program.len();
        for (number, (id, ticks)) in locks.into_iter().enumerate() {
            program[number % threads].insert(0, Locked(id, "f", ticks));
        }
        let found = replayed(&program);
        let run = length(&program) as f64;
        for (&(loss, path), &ticks) in &found.critical.savings {
            prop_assert!((0.0..=run).contains(&ticks), "{loss:?} {path:?}: {ticks} of {run}");
            // A loss that goes altogether saves no more than its part of the critical path.
            let is_operation = found.matcher.paths().operation(path).is_some_and(|o| !o.is_user());
            if loss == Loss::Time && is_operation {
                let critical = found.critical.total(path) as f64;
                prop_assert!(ticks <= critical, "{path:?}: {ticks} of {critical}");
            }
        }
    }
}

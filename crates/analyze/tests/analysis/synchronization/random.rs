//! Random programs against a plain computation on the whole program.

use std::collections::{BTreeMap, BTreeSet};

use SyncMode::{All, Mine, None as NoSync};
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_result::synchronization::AdviceKind;
use pgas_trace::model::SyncMode;
use proptest::prelude::*;

use super::steps::{Step::*, *};
use crate::common::{analyse, analyse_in};

/// The program as all threads together see it: points at which all wait for all, and what happens
/// between.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Point(Option<u32>),
    Data(u32),
    Private,
    Shared,
}

/// Expected advice, computed from the steps of all threads at once.
fn expected(skeleton: &[Step], gaps: &[Vec<Vec<Step>>]) -> Vec<Advice> {
    let halves = skeleton.iter().flat_map(|item| match item {
        Split(_, between) => between.as_slice(),
        _ => &[],
    });
    // Activity while recording was off is not known.
    if gaps
        .iter()
        .flatten()
        .flatten()
        .chain(halves)
        .any(|step| matches!(step, Off(_)))
    {
        return Vec::new();
    }
    let deed = |step: &Step| match step {
        Own | Allocate | Fence => Token::Private,
        _ => Token::Shared,
    };
    let mut tokens = Vec::new();
    let mut begin_of = BTreeMap::new();
    let mut end_of = BTreeMap::new();
    let mut modes = BTreeMap::new();
    for (number, item) in skeleton.iter().enumerate() {
        tokens.extend(gaps[number].iter().flatten().map(deed));
        match item {
            Barrier(line) => tokens.push(Token::Point(Some(*line))),
            Split(line, between) => {
                tokens.extend(between.iter().map(deed));
                tokens.push(Token::Point(Some(*line + 10)));
                tokens.extend(between.iter().map(deed));
            }
            Collective(line, _, sync_in, sync_out) => {
                modes.insert(*line, (*sync_in, *sync_out));
                begin_of
                    .entry(*line)
                    .or_insert_with(Vec::new)
                    .push(tokens.len());
                if *sync_in == All {
                    tokens.push(Token::Point(None));
                }
                tokens.push(Token::Data(*line));
                if *sync_out == All {
                    tokens.push(Token::Point(None));
                }
                end_of
                    .entry(*line)
                    .or_insert_with(Vec::new)
                    .push(tokens.len());
            }
            _ => unreachable!(),
        }
    }
    for deeds in &gaps[skeleton.len()] {
        tokens.extend(deeds.iter().map(deed));
    }
    // After the last item, no synchronisation ends the activity there.
    let point = |token: &Token| matches!(token, Token::Point(_));
    let before = |at: usize| {
        let from = tokens[..at].iter().rposition(point);
        let barrier = from.and_then(|from| match tokens[from] {
            Token::Point(barrier) => barrier,
            _ => None,
        });
        (barrier, &tokens[from.map_or(0, |from| from + 1)..at])
    };
    let after = |at: usize| {
        let to = at + tokens[at..].iter().position(point)?;
        Some(match tokens[to] {
            Token::Point(barrier) => (barrier, &tokens[at..to]),
            _ => (None, &tokens[at..to]),
        })
    };
    let private = |tokens: &[Token]| tokens.iter().all(|t| *t == Token::Private);

    let mut all = Vec::new();
    let lines: BTreeSet<u32> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Point(Some(line)) => Some(*line),
            _ => None,
        })
        .collect();
    let instances = |line: u32| {
        let is = move |token: &Token| *token == Token::Point(Some(line));
        (0..tokens.len())
            .filter(|&at| is(&tokens[at]))
            .collect::<Vec<_>>()
    };
    let mut own_data = BTreeSet::new();
    for &line in &lines {
        let settled: Vec<bool> = instances(line)
            .into_iter()
            .filter_map(|at| Some(private(before(at).1) && private(after(at + 1)?.1)))
            .collect();
        if !settled.is_empty() && settled.iter().all(|&is| is) {
            own_data.insert(line);
            all.push((
                AdviceKind::OwnDataBarrier,
                line,
                None,
                None,
                settled.len() as u64,
            ));
        }
    }
    // The barrier is one and the same, stays, and is on a neighbouring line.
    let rests_on = |line: u32, barriers: &[Option<u32>]| {
        let all: BTreeSet<u32> = barriers.iter().copied().flatten().collect();
        let all: Vec<u32> = all.into_iter().collect();
        matches!(all[..], [one] if !own_data.contains(&one) && one.abs_diff(line) <= 1)
    };
    for &line in lines.difference(&own_data) {
        let found: Vec<_> = instances(line).into_iter().map(before).collect();
        let barriers: Vec<_> = found.iter().map(|(barrier, _)| *barrier).collect();
        let beside = found
            .iter()
            .all(|(barrier, between)| barrier.is_some() && between.is_empty());
        if beside && rests_on(line, &barriers) {
            all.push((
                AdviceKind::RepeatedBarrier,
                line,
                None,
                barriers[0],
                found.len() as u64,
            ));
        }
    }
    for (&line, &(sync_in, sync_out)) in &modes {
        let befores: Vec<_> = begin_of[&line].iter().map(|&at| before(at)).collect();
        // The part after an operation that does not wait at its end includes no data movement that
        // is still under way.
        let afters: Vec<_> = end_of[&line].iter().filter_map(|&at| after(at)).collect();
        let after_known = end_of[&line]
            .iter()
            .filter(|&&at| {
                tokens[at..]
                    .iter()
                    .any(|t| point(t) || matches!(t, Token::Data(_)))
            })
            .count();
        let is_private = |side: &[(Option<u32>, &[Token])]| side.iter().all(|(_, t)| private(t));
        // An operation that is followed by another one without a point between is known, and not
        // private.
        let after_private = is_private(&afters) && afters.len() == after_known;
        let sides = [
            (
                &befores,
                sync_in,
                is_private(&befores),
                befores.len(),
                after_private,
                sync_out,
                after_known,
            ),
            (
                &afters,
                sync_out,
                after_private,
                after_known,
                is_private(&befores),
                sync_in,
                befores.len(),
            ),
        ];
        for (number, (side, mode, own, known, other, other_mode, other_known)) in
            sides.into_iter().enumerate()
        {
            if known == 0 || mode == NoSync {
                continue;
            }
            let barriers: Vec<_> = side.iter().map(|(barrier, _)| *barrier).collect();
            let beside = side.len() == known
                && side
                    .iter()
                    .all(|(barrier, between)| barrier.is_some() && between.is_empty());
            let advice = if beside && rests_on(line, &barriers) {
                [
                    entry(line, "NOSYNC", barriers[0], known as u64),
                    exit(line, "NOSYNC", barriers[0], known as u64),
                ]
            } else if mode == All && own && other_known > 0 && (other || other_mode == All) {
                [
                    entry(line, "MYSYNC", None, known as u64),
                    exit(line, "MYSYNC", None, known as u64),
                ]
            } else {
                continue;
            };
            all.push(advice[number].clone());
        }
    }
    // The last synchronisation is not known to be unneeded if threads go on to touch others' data.
    let last = tokens.iter().rposition(point);
    if !private(&tokens[last.map_or(0, |last| last + 1)..]) {
        let barrier = last.map(|last| tokens[last]);
        let collective = match skeleton.last() {
            Some(Collective(line, ..)) => Some(*line),
            _ => None,
        };
        all.retain(|advice| match advice.0 {
            AdviceKind::OwnDataBarrier => barrier != Some(Token::Point(Some(advice.1))),
            AdviceKind::WeakerEntry | AdviceKind::WeakerExit => collective != Some(advice.1),
            _ => true,
        });
    }
    // Nor can an exit without waiting be safe if a thread's next deed is in its own data: others
    // may still be reading from there what the operation moves.
    if let Some(Collective(line, ..)) = skeleton.last() {
        if gaps[skeleton.len()].iter().any(|deeds| !deeds.is_empty()) {
            all.retain(|advice| {
                advice.0 != AdviceKind::WeakerExit
                    || advice.1 != *line
                    || !advice
                        .2
                        .as_deref()
                        .is_some_and(|mode| mode.ends_with("NOSYNC"))
            });
        }
    }
    all.sort_by_key(|advice| (advice.1, advice.2.clone()));
    all
}

fn items() -> impl Strategy<Value = Vec<Step>> {
    let modes = |line: u32| match line {
        31 => (All, All),
        32 => (Mine, All),
        34 => (All, Mine),
        35 => (NoSync, All),
        37 => (Mine, Mine),
        _ => (All, NoSync),
    };
    let collective = prop::sample::select(vec![31u32, 32, 34, 35, 37, 38]);
    let item = prop_oneof![
        4 => prop::sample::select(vec![30u32, 33, 36, 39, 40]).prop_map(Barrier),
        1 => prop::collection::vec(private_mostly(), 0..2).prop_map(|between| Split(19, between)),
        4 => collective.prop_map(move |line| Collective(line, REDUCE, modes(line).0, modes(line).1)),
    ];
    prop::collection::vec(item, 0..25)
}

fn private_mostly() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => Just(Own),
        1 => Just(Allocate),
        1 => Just(Fence),
        2 => Just(Remote),
        1 => Just(Critical),
        1 => Just(Free),
        1 => Just(Off(0)),
    ]
}

/// Where a thread does what: the gap in the skeleton, the thread.
type Deed = (usize, usize, Step);
/// By gap and thread.
type Gaps = Vec<Vec<Vec<Step>>>;

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    prop::collection::vec((0usize..26, 0usize..3, private_mostly()), 0..14)
}

fn random_program(
    threads: usize,
    skeleton: &[Step],
    deeds: Vec<Deed>,
) -> (Gaps, Vec<StreamBuilder>) {
    let mut gaps = vec![vec![Vec::new(); threads]; skeleton.len() + 1];
    for (gap, thread, deed) in deeds {
        let (gap, thread) = (gap % gaps.len(), thread % threads);
        gaps[gap][thread].push(deed);
    }
    let streams = program(threads, |thread| {
        let mut steps = Vec::new();
        for (number, gap) in gaps.iter().enumerate() {
            steps.extend(gap[thread].iter().cloned());
            steps.extend(skeleton.get(number).cloned());
        }
        steps
    });
    (gaps, streams)
}

/// The random programs are a test of advice only if they get it.
#[test]
fn random_programs_get_every_kind_of_advice() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut kinds = BTreeMap::new();
    for _ in 0..2000 {
        let mut pick = |strategy: &BoxedStrategy<(Vec<Step>, Vec<Deed>)>| {
            strategy.new_tree(&mut runner).expect("a program").current()
        };
        let (skeleton, deeds) = pick(&(items(), deeds()).boxed());
        let (_, streams) = random_program(2, &skeleton, deeds);
        for (kind, _, enough, ..) in advice(&analyse(&streams)) {
            *kinds.entry(format!("{kind:?} {enough:?}")).or_insert(0) += 1;
        }
    }
    assert!(
        kinds.len() == 6 && kinds.values().all(|&count| count > 2),
        "{kinds:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_whole_program_says_the_same(
        threads in 2usize..4,
        skeleton in items(),
        deeds in deeds(),
        events in 1u64..60,
    ) {
        let (gaps, streams) = random_program(threads, &skeleton, deeds);
        let truth = expected(&skeleton, &gaps);
        let analysis = analyse(&streams);
        prop_assert_eq!(advice(&analysis), truth);
        let other = analyse_in(&streams, Stretch { events, per_thread: events });
        prop_assert_eq!(&analysis.summary, &other.summary);
    }
}

/// The last instance of a collective operation is followed by writes of own data, all others by a
/// barrier.
#[test]
fn own_data_after_the_last_instance_speaks_against_an_exit_without_waiting() {
    let mut skeleton = vec![Barrier(30); 8];
    skeleton.push(Collective(32, REDUCE, Mine, All));
    skeleton.push(Barrier(33));
    skeleton.push(Collective(31, REDUCE, All, All));
    skeleton.extend(vec![Barrier(30); 10]);
    skeleton.push(Barrier(33));
    skeleton.push(Collective(31, REDUCE, All, All));
    let (gaps, streams) = random_program(2, &skeleton, vec![(23, 0, Own)]);
    assert_eq!(advice(&analyse(&streams)), expected(&skeleton, &gaps));
}

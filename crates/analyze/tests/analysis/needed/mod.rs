//! No barrier that a program needs is ever called removable, and no flag that it needs too strong,
//! whatever of its accesses was recorded: random programs under random conditions, against all of
//! their accesses.

mod oracle;
mod program;
mod recording;

use std::collections::BTreeMap;

use self::oracle::{Change, breaks};
use self::program::{Access, How, Item, Program};
use self::recording::Conditions;
use crate::common::numbers::Numbers;
use pgas_analyze::{Analysis, analyze};
use pgas_result::synchronization::AdviceKind;
use pgas_trace::Experiment;
use pgas_trace::model::SyncMode;

const CASES: u64 = 4000;

/// The changes that the advice asks for: those that can all be made at once, and those that can be
/// made alone.
fn changes(analysis: &Analysis) -> (Vec<Change>, Vec<Change>) {
    let mode = |enough: &Option<String>| match enough.as_deref() {
        Some(flag) if flag.ends_with("MYSYNC") => SyncMode::Mine,
        Some(flag) if flag.ends_with("NOSYNC") => SyncMode::None,
        flag => panic!("{flag:?}"),
    };
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    let all = analysis.summary.synchronization.iter();
    for advice in all.flat_map(|s| &s.advice) {
        let line = analysis.cube.call_paths[advice.call_path].line;
        match advice.kind {
            AdviceKind::WeakerEntry => together.push(Change::Entry(line, mode(&advice.enough))),
            AdviceKind::WeakerExit => together.push(Change::Exit(line, mode(&advice.enough))),
            AdviceKind::RepeatedBarrier | AdviceKind::OwnDataBarrier => {
                together.push(Change::Remove(line));
            }
            AdviceKind::UnrelatedBarrier => alone.push(Change::Remove(line)),
            AdviceKind::Other => panic!("{advice:?}"),
        }
    }
    (together, alone)
}

fn analysed(program: &Program, conditions: &Conditions) -> Option<Analysis> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("e");
    recording::write(program, conditions, &path);
    let experiment = Experiment::open(&path).expect("an experiment");
    // A recording that lost everything is an error, and no advice.
    analyze(&experiment, &|_| {}).ok()
}

/// Numbers of programs with advice, withheld advice and wrong advice.
#[derive(Default)]
struct Outcome {
    advised: u64,
    kinds: BTreeMap<String, u64>,
    withheld: u64,
    wrong: Vec<(Program, Conditions, Vec<Change>)>,
}

impl Outcome {
    fn judge(&mut self, program: Program, conditions: Conditions) {
        let Some(analysis) = analysed(&program, &conditions) else {
            return;
        };
        let (together, alone) = changes(&analysis);
        self.advised += u64::from(!together.is_empty() || !alone.is_empty());
        self.withheld += u64::from(!analysis.summary.withheld.is_empty());
        let all = analysis.summary.synchronization.iter();
        for advice in all.flat_map(|s| &s.advice) {
            *self.kinds.entry(format!("{:?}", advice.kind)).or_default() += 1;
        }
        let mut followed: Vec<Vec<Change>> = alone.into_iter().map(|change| vec![change]).collect();
        followed.push(together);
        for changes in followed {
            if breaks(&program, &changes) {
                self.wrong
                    .push((program.clone(), conditions.clone(), changes));
            }
        }
    }
}

#[test]
fn advice_never_takes_synchronisation_that_is_needed() {
    let mut outcome = Outcome::default();
    for seed in 0..CASES {
        let mut numbers = Numbers(seed);
        let program = Program::random(&mut numbers);
        let conditions = Conditions::random(&mut numbers, &program);
        outcome.judge(program, conditions);
    }
    println!(
        "{CASES} programs: advice in {}, withheld in {}, wrong in {}; {:?}",
        outcome.advised,
        outcome.withheld,
        outcome.wrong.len(),
        outcome.kinds
    );
    if let Some((program, conditions, changes)) = outcome.wrong.first() {
        panic!(
            "{} of {CASES} wrong, the first: {changes:?} in {program:#?} under {conditions:#?}",
            outcome.wrong.len()
        );
    }
    // A test of advice only if there is some, of each kind, and some is withheld.
    assert!(outcome.advised > CASES / 20, "{}", outcome.advised);
    assert!(outcome.withheld > CASES / 20, "{}", outcome.withheld);
    let often = outcome.kinds.values().filter(|&&count| count >= 3);
    assert_eq!(often.count(), 5, "{:?}", outcome.kinds);
}

/// A collective operation with a barrier after it, but for the last time, after which a thread
/// writes its own data.
#[test]
fn a_flag_that_only_the_last_instance_needs_is_kept() {
    let (line, entry, exit) = (52, SyncMode::None, SyncMode::All);
    let round = [
        Item::Barrier {
            line: 51,
            function: None,
        },
        Item::Collective { line, entry, exit },
    ];
    let items = round.repeat(2);
    let mut program = Program {
        threads: 2,
        gaps: vec![vec![Vec::new(); 2]; items.len() + 1],
        items,
        ends: false,
    };
    let conditions = Conditions {
        inst_local: true,
        addresses: true,
        ..Conditions::default()
    };
    let advised = |program: &Program| {
        let analysis = analysed(program, &conditions).expect("an analysis");
        changes(&analysis)
            .0
            .contains(&Change::Exit(line, SyncMode::None))
    };
    assert!(advised(&program));
    program.gaps[4][1].push(Access {
        is_write: true,
        owner: 1,
        place: program::SOURCE,
        how: How::Shared,
    });
    assert!(breaks(&program, &[Change::Exit(line, SyncMode::None)]));
    assert!(!advised(&program));
}

/// The same programs where the recorder does not say what it left out: were the analysis to take
/// what it sees for all that there is, this is how often its advice would be wrong.
#[test]
fn without_what_the_recorder_says_advice_would_be_wrong() {
    let mut outcome = Outcome::default();
    for seed in 0..CASES / 4 {
        let mut numbers = Numbers(seed);
        let program = Program::random(&mut numbers);
        let conditions = Conditions {
            silent: true,
            ..Conditions::random(&mut numbers, &program)
        };
        outcome.judge(program, conditions);
    }
    println!("{} of {} wrong", outcome.wrong.len(), CASES / 4);
    assert!(outcome.wrong.len() > 10, "{}", outcome.wrong.len());
}

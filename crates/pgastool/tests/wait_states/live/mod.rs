//! The live search against the analysis of the trace: programs of the folder `accuracy/` run for
//! many rounds while they are watched, and both must name the same pattern, place and thread.
//!
//! By default a few programs run. `scripts/live-accuracy` runs all of them; it passes what it was
//! asked for in the variables of `scripts/accuracy`, and `PGAS_LIVE_ACCURACY=programs` or
//! `PGAS_LIVE_ACCURACY=balanced`.

mod named;
mod table;
mod verdict;

use std::path::Path;

use serde_json::Value;

use self::verdict::{Line, Verdict};
use crate::measured::{pgastool, succeed};
use crate::model::Model;
use crate::suite::{Case, How, alone, case};
use crate::{compile, number, selected, variable};

/// Rounds of most programs: 8 s and more.
const ROUNDS: u32 = 400;
/// Rounds of programs of processes: samples of these come through a ring of agents, and less often.
const PROCESS_ROUNDS: u32 = 1000;
/// Rounds of programs in which a round takes longer, as it has several operations.
const LONG_ROUNDS: u32 = 120;
/// Time between samples, the shortest there is.
const PERIOD: &str = "50ms";
/// Rounds of the short form: 4 s and more.
const SHORT_ROUNDS: u32 = 200;
/// Programs of the short form: a barrier, a collective operation, and one without waiting.
const SHORT: [&str; 3] = [
    "wait_at_barrier/fixed",
    "late_broadcast/late_root",
    "wait_at_barrier/control_balanced",
];
/// Programs that fail or do not end if threads come in another order than planned, which happens in
/// many rounds on a busy machine.
const NOT_LONG: [&str; 3] = [
    "flag_wait/several_writers",
    "openshmem/lock_contention/attempts",
    "coarrays/lock_contention/attempts",
];
/// Programs without waiting, by their names in the folders of the models.
const BALANCED: &str = "control_balanced";

/// Where a run of a program waits, by the analysis and by the live search.
fn watched(case: &Case, program: &Path, threads: u32) -> Vec<Line> {
    let dir = tempfile::tempdir().expect("a folder");
    let experiment = dir.path().join("run");
    let mut run = pgastool(dir.path());
    run.envs(case.model.environment().iter().copied())
        .env("PGAS_NO_CORE", "0")
        .args(["run", "--live", "--live-period", PERIOD])
        .args(["-n", &threads.to_string(), "-o"])
        .arg(&experiment)
        .arg("--")
        .arg(program);
    {
        let _alone = alone();
        succeed(&mut run);
    }
    let report = crate::measured::analysed(dir.path(), &experiment);
    let watched = match std::fs::read(experiment.join("watched.json")) {
        Ok(text) => serde_json::from_slice(&text).expect("JSON"),
        // Nothing was found.
        Err(_) => Value::Null,
    };
    let live = named::live(&watched);
    verdict::compare(named::analysed(&report), live, &named::times(&report))
}

/// Programs with their rounds: those of several operations a round have fewer.
fn compiled(cases: &[Case], dir: &Path) -> Vec<std::path::PathBuf> {
    let is_short = variable("PGAS_LIVE_ACCURACY").is_none();
    let rounds = |case: &Case| match case.folder.as_str() {
        _ if is_short => SHORT_ROUNDS,
        "combined" => LONG_ROUNDS,
        _ if case.model != Model::Upc => PROCESS_ROUNDS,
        _ => ROUNDS,
    };
    let each = cases.iter().flat_map(|case| {
        let how = How {
            rounds: Some(rounds(case)),
            ..How::default()
        };
        compile(std::slice::from_ref(case), dir, &how)
    });
    each.collect()
}

fn chosen_threads(case: &Case) -> Vec<u32> {
    let Some(list) = variable("PGAS_ACCURACY_THREADS") else {
        return case.threads[..1].to_vec();
    };
    let wanted: Vec<u32> = list.split(',').map(number).collect();
    let known = case.threads.iter().copied();
    known.filter(|threads| wanted.contains(threads)).collect()
}

fn is_balanced() -> bool {
    variable("PGAS_LIVE_ACCURACY").is_some_and(|what| what == "balanced")
}

fn chosen() -> Vec<Case> {
    match variable("PGAS_LIVE_ACCURACY").as_deref() {
        Some("programs") => {
            let mut all = selected(&How::default());
            all.retain(|case| case.model != Model::Tasks);
            all.retain(|case| !NOT_LONG.contains(&&*case.title()));
            all
        }
        Some("balanced") => {
            let mut all = selected(&How::default());
            all.retain(|case| case.name == BALANCED);
            all
        }
        _ => SHORT.map(case).to_vec(),
    }
}

#[test]
fn the_live_search_agrees_with_the_analysis() {
    let cases = chosen();
    let runs = variable("PGAS_ACCURACY_RUNS").map_or(1, |runs| number(&runs));
    let dir = tempfile::tempdir().expect("a folder");
    let programs = compiled(&cases, dir.path());
    println!("{}", table::heading());
    let mut all = Vec::new();
    for (case, program) in cases.iter().zip(&programs) {
        for threads in chosen_threads(case) {
            for _ in 0..runs {
                let lines = watched(case, program, threads);
                print!("{}", table::text(&case.title(), threads, &lines));
                all.push(lines);
            }
        }
    }
    println!("\n{}", summary(&all));
    let wrong: Vec<&Vec<Line>> = all.iter().filter(|lines| is_wrong(lines)).collect();
    // The search allows itself one false alarm in 20 runs.
    let allowed = match is_balanced() {
        true => all.len() / 20,
        false => 0,
    };
    assert!(wrong.len() <= allowed, "{wrong:#?}");
}

fn is_wrong(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.verdict.is_wrong())
}

fn summary(runs: &[Vec<Line>]) -> String {
    let count = |verdict: Verdict| {
        let lines = runs.iter().flatten();
        lines.filter(|line| line.verdict == verdict).count()
    };
    let verdicts = [
        Verdict::Agrees,
        Verdict::NoCulprit,
        Verdict::NoPattern,
        Verdict::OnlyTime,
        Verdict::ByRuntime,
        Verdict::Missing,
        Verdict::OtherPattern,
        Verdict::OtherCulprit,
        Verdict::FalseAlarm,
    ];
    let counts = verdicts.map(|verdict| format!("{} {}", count(verdict), verdict.text()));
    format!(
        "{} runs, {} of them with a disagreement; places: {}",
        runs.len(),
        runs.iter().filter(|lines| is_wrong(lines)).count(),
        counts.join(", ")
    )
}

//! Wait states against the truth: the programs of the folder `accuracy/` sleep for known times
//! before barriers, locks, allocations and collective operations, take time stamps around the
//! operations themselves and print how long each thread really waited. The results of the analysis
//! must agree, in total and per thread.
//!
//! These are no tests of speed. By default every program runs once. `scripts/accuracy` runs all of
//! them at all their numbers of threads and prints the table; it passes what it was asked for in
//! the variables `PGAS_ACCURACY_RUNS`, `PGAS_ACCURACY_MODEL`, `PGAS_ACCURACY_PATTERN`,
//! `PGAS_ACCURACY_PROGRAMS` (a list), `PGAS_ACCURACY_THREADS` and `PGAS_ACCURACY_THROUGH`.

mod comparison;
mod live;
#[path = "../measured/machine.rs"]
mod machine;
#[path = "../measured/mod.rs"]
mod measured;
mod model;
#[path = "../measured/mpi.rs"]
mod mpi;
#[path = "../../../trace/tests/support/not_tested.rs"]
mod not_tested;
mod suite;
mod table;
mod truth;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use machine::check_repeats;
use model::{MODELS, Model};
use pgas_analyze::patterns::PATTERNS;
use serde_json::Value;
use suite::{Case, How, agree, case, cases};
use table::Summary;

/// Patterns that an EPILOG trace does not have: it says nothing about who ended such a wait, nor
/// about groups and what completes a transfer.
const WITHOUT_EPILOG: [&str; 10] = [
    "flag_wait",
    "signal_wait",
    "event_wait",
    "partner_wait",
    "group_wait",
    "completion_wait",
    "fence_wait",
    "late_producer",
    "slow_consumer",
    "idle_without_task",
];

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn number(text: &str) -> u32 {
    text.parse()
        .unwrap_or_else(|_| panic!("'{text}' is no number"))
}

/// Compiles all programs, as many at a time as there are cores; in the order of the cases.
fn compile(cases: &[Case], dir: &Path, how: &How) -> Vec<PathBuf> {
    let next = AtomicUsize::new(0);
    let programs = Mutex::new(BTreeMap::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(number) else { break };
                    let program = case.compile(dir, how);
                    programs.lock().expect("no panic").insert(number, program);
                }
            });
        }
    });
    programs
        .into_inner()
        .expect("no panic")
        .into_values()
        .collect()
}

/// The programs that are asked for, as far as they run here.
fn selected(how: &How) -> Vec<Case> {
    let mut cases = cases();
    if let Some(model) = variable("PGAS_ACCURACY_MODEL") {
        let folder = if model == "upc" { "" } else { &model };
        cases.retain(|case| case.model.name() == folder);
        assert!(!cases.is_empty(), "there are no programs of '{model}'");
    }
    if let Some(pattern) = variable("PGAS_ACCURACY_PATTERN") {
        cases.retain(|case| case.folder == pattern);
        assert!(!cases.is_empty(), "there are no programs for '{pattern}'");
    }
    if let Some(programs) = variable("PGAS_ACCURACY_PROGRAMS") {
        let wanted: Vec<&str> = programs.split(',').collect();
        cases.retain(|case| wanted.contains(&case.title().as_str()));
        assert_eq!(cases.len(), wanted.len(), "not all exist of {programs}");
    }
    if how.through_epilog {
        println!("not compared: {}", WITHOUT_EPILOG.join(", "));
        cases.retain(|case| !WITHOUT_EPILOG.contains(&case.folder.as_str()));
    }
    cases.retain(|case| case.model.is_there());
    cases
}

#[test]
fn every_program_agrees_with_its_truth() {
    let runs = variable("PGAS_ACCURACY_RUNS").map(|runs| number(&runs));
    let only_threads = variable("PGAS_ACCURACY_THREADS")
        .map(|list| list.split(',').map(number).collect::<Vec<u32>>());
    let how = How {
        through_epilog: variable("PGAS_ACCURACY_THROUGH").is_some_and(|format| format == "epilog"),
        ..How::default()
    };
    let cases = selected(&how);
    let dir = tempfile::tempdir().expect("a folder");
    let programs = compile(&cases, dir.path(), &how);
    let mut summary = Summary::default();
    let mut deviations = String::new();
    println!("{}", table::heading());
    for (case, program) in cases.iter().zip(&programs) {
        let threads: Vec<u32> = match (&only_threads, runs) {
            (Some(wanted), _) => {
                let known = case.threads.iter().copied();
                known.filter(|threads| wanted.contains(threads)).collect()
            }
            (None, Some(_)) => case.threads.clone(),
            (None, None) => case.threads[..1].to_vec(),
        };
        for threads in threads {
            for _ in 0..runs.unwrap_or(1) {
                let Some(outcome) = agree(case, program, threads, &how, nothing_else) else {
                    continue;
                };
                let lines = table::lines(case, threads, &outcome);
                print!("{lines}");
                summary.add(&outcome);
                if !outcome.deviations.is_empty() {
                    deviations.push_str(&format!(
                        "{} with {threads} threads deviates from its truth:\n  {}\n{lines}\n",
                        case.title(),
                        outcome.deviations.join("\n  ")
                    ));
                }
            }
        }
    }
    println!("\n{}\n{}", summary.text(), check_repeats());
    assert!(deviations.is_empty(), "{deviations}");
}

fn nothing_else(_: &Value) -> Vec<String> {
    Vec::new()
}

#[test]
fn every_pattern_has_programs_and_controls() {
    let cases = cases();
    for model in MODELS {
        // A lost core is nothing that a program can do; `busy.rs` of the command line's tests has
        // programs on one core.
        let without = |id: &str| id == "no_core_after_wait" || model.is_without(id);
        for pattern in PATTERNS.iter() {
            let of_pattern = |case: &&Case| case.model == model && case.folder == pattern.id;
            let own: Vec<&Case> = cases.iter().filter(of_pattern).collect();
            let controls = own.iter().filter(|case| case.is_control()).count();
            let what = format!("{} of {model:?}", pattern.id);
            if without(pattern.id) {
                assert!(own.is_empty(), "{what} is said not to be there");
                continue;
            }
            assert!(controls >= 1, "{what} has no control");
            assert!(
                own.len() - controls >= model.programs_per_pattern(),
                "{what}"
            );
        }
    }
    let is_pattern = |id: &str| PATTERNS.iter().any(|pattern| pattern.id == id);
    for case in cases {
        let known = case.folder == "combined" || is_pattern(&case.folder);
        assert!(known, "{} is for no pattern", case.title());
    }
}

/// Compiles and runs one program, with the number of threads of the short form.
fn agrees(title: &str, how: &How, also: impl Fn(&Value) -> Vec<String>) {
    let case = case(title);
    let dir = tempfile::tempdir().expect("a folder");
    let program = case.compile(dir.path(), how);
    let threads = case.threads[0];
    let Some(outcome) = agree(&case, &program, threads, how, also) else {
        return;
    };
    let lines = table::lines(&case, threads, &outcome);
    println!("{}\n{lines}", table::heading());
    assert!(
        outcome.deviations.is_empty(),
        "{title} deviates:\n  {}\n{lines}",
        outcome.deviations.join("\n  ")
    );
}

/// The finding about the barrier before which one thread is always late names its line and that
/// thread.
#[test]
fn the_late_thread_and_its_line_are_named() {
    let title = "wait_at_barrier/fixed";
    let (source, late) = (case(title).source, case(title).threads[0] - 1);
    let text = std::fs::read_to_string(source).expect("the program");
    let line = text
        .lines()
        .enumerate()
        .skip_while(|(_, text)| !text.contains("for ("))
        .find(|(_, text)| text.trim() == "BARRIER;")
        .map(|(index, _)| index + 1)
        .expect("the barrier of the loop");
    agrees(title, &How::default(), |report| {
        let findings = report["findings"].as_array().expect("findings");
        let found = findings.iter().any(|f| {
            f["metric"] == "wait_at_barrier"
                && f["region"] == "upc_barrier"
                && f["function"] == "main"
                && f["line"] == line
                && f["culprit_thread"] == late
                && f["file"].as_str().is_some_and(|f| f.ends_with("fixed.upc"))
        });
        if found {
            Vec::new()
        } else {
            vec![format!(
                "no finding about line {line} of fixed.upc that blames the last thread: \
                 {findings:#?}"
            )]
        }
    });
}

/// The threads' clocks differ by minutes and run at other rates, as those of several nodes. They
/// are compared when the program begins and ends, and the waiting is what it is with one clock.
const SEVERAL_NODES: [(&str, &str); 1] = [(
    "PGAS_TEST_CLOCKS",
    "1:500000000000:60:north,2:-40000000000:-80:south,3:-40000000000:-80:south",
)];

fn agrees_on_several_nodes(title: &str) {
    let how = How {
        environment: &SEVERAL_NODES,
        ..How::default()
    };
    // Almost all of the waiting of these programs is longer than clocks of one machine can be
    // wrong.
    agrees(title, &how, |report| {
        let clocks = &report["clocks"];
        let seconds = |field: &str| clocks[field].as_f64().expect("seconds");
        let below = seconds("below_uncertainty_seconds");
        let mut deviations = Vec::new();
        if below > 0.01 * seconds("waiting_seconds") {
            deviations.push(format!("the clocks are too uncertain: {clocks}"));
        }
        if clocks["violations"]["unexplained"] != 0 || clocks["held_events"] != 0 {
            deviations.push(format!("the clocks are not corrected well: {clocks}"));
        }
        deviations
    });
}

#[test]
fn barriers_on_several_nodes() {
    agrees_on_several_nodes("wait_at_barrier/staggered");
}

#[test]
fn locks_on_several_nodes() {
    agrees_on_several_nodes("lock_contention/chain");
}

#[test]
fn collectives_on_several_nodes() {
    agrees_on_several_nodes("combined/collectives");
}

/// The information that EPILOG can carry is enough for all patterns.
#[test]
fn through_epilog_the_waiting_is_the_same() {
    let how = How {
        through_epilog: true,
        ..How::default()
    };
    for title in [
        "combined/solver",
        "combined/held_up",
        "lock_contention/attempts",
    ] {
        agrees(title, &how, nothing_else);
    }
}

/// GNU's and Clang's runtimes do not report collective operations, so the tool stands between them
/// and the program; waiting is what it is with a runtime that does. Stand-ins play these compilers,
/// without what the runtime behind them reports.
#[test]
fn collectives_that_the_runtime_does_not_report() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("crates");
    let include = crates.join("instrument/support/gasp/gnu");
    let embedded = Path::new(env!("CARGO_BIN_EXE_pgastool")).with_file_name("pgas-upcc");
    let text = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let (include, embedded) = (text(&include), text(&embedded));
    let with = |which: &str, titles: &[&str]| {
        let compiler = text(&crates.join("instrument/tests/stand-ins").join(which));
        let environment = [
            ("PGAS_UPCC", &*compiler),
            ("STAND_IN_INCLUDE", &*include),
            ("STAND_IN_UPCC", &*embedded),
        ];
        let how = How {
            environment: &environment,
            ..How::default()
        };
        for title in titles {
            agrees(title, &how, nothing_else);
        }
    };
    with("clang-upc", &["combined/collectives"]);
    // Of every pattern that is about collective operations.
    let mut titles = vec!["combined/collectives".to_owned()];
    for folder in [
        "late_broadcast",
        "early_gather_receiver",
        "early_gather_sender",
        "early_prefix_reduce",
        "wait_at_nxn",
        "nxn_completion",
        "collective_sync_in",
        "collective_sync_out",
        "wait_inside_collective",
    ] {
        let all = cases();
        let of_folder = |case: &&Case| case.model == Model::Upc && case.folder == folder;
        let mut own = all.iter().filter(of_folder);
        let first = own.find(|case| !case.is_control());
        titles.push(first.expect("a program").title());
    }
    with(
        "gupc",
        &titles.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}
